import type { Format, ProviderFormat } from "@one-api/providers/format";
import type { AskedChat, ProviderChat } from "@one-api/providers/format-sides";
import { SERVER_SENT_EVENTS, WHOLE_DOCUMENT } from "@one-api/providers/framing/framing";
import { completeIds } from "@one-api/providers/neutral/answer-ids";
import type { ChatAnswer } from "@one-api/providers/neutral/chat-answer";
import type { Fitting } from "@one-api/providers/neutral/fit/fit-request";
import { restoreAnswer } from "@one-api/providers/neutral/fit/restore-answer";
import { type AnswerHeaders, headerOf } from "@one-api/providers/shared/retry-after";
import type { ParsedRequest, RequestBody } from "../body/index.ts";
import { NeutralStream } from "./neutral-stream.ts";
import { readGathered } from "./read-whole-answer.ts";
import type { ReadAnswer, Translation } from "./translation.ts";
import { beginsAsEvents, readWholeAsStream } from "./whole-as-stream.ts";

export interface NeutralServices {
  readonly countText: (text: string) => number;
  readonly nowSeconds: () => number;
}

interface ConversionContext extends NeutralServices {
  readonly asked: Pick<AskedChat, "encode" | "writeAnswer">;
  readonly served: ProviderChat;
  /** Changes of a request that its answer must undo. */
  readonly fittingOf: (body: RequestBody) => Fitting | undefined;
}

interface Conversions extends Required<Pick<Translation, "openWhole">> {
  writer(parsed: ParsedRequest): (read: ChatAnswer) => object;
  /** Reads a stream received instead of a whole answer; undefined for other bytes. */
  gather(parsed: ParsedRequest, headers: AnswerHeaders, bytes: Buffer): ReadAnswer | undefined;
}

export function createConversions(
  caller: Format,
  provider: ProviderFormat,
  { asked, served, countText, nowSeconds, fittingOf }: ConversionContext,
): Conversions {
  const { framing = SERVER_SENT_EVENTS } = provider;
  const isStream = (headers: AnswerHeaders, bytes: Buffer) => {
    // A single document may be either.
    if (framing === WHOLE_DOCUMENT && served.readAnswer !== undefined) return false;
    if (framing.contentType.test(headerOf(headers, "content-type"))) return true;
    return framing === SERVER_SENT_EVENTS && beginsAsEvents(bytes);
  };
  const writer: Conversions["writer"] = ({ body, model }) => {
    const envelope = { created: nowSeconds(), reportUsage: true, request: body.json };
    return (read) => {
      const answer = restoreAnswer(completeIds(read), fittingOf(body));
      return asked.writeAnswer({ ...answer, model: read.model || model }, envelope);
    };
  };
  return {
    writer,
    gather: (parsed, headers, bytes) =>
      isStream(headers, bytes) ? readGathered(provider, served, bytes, writer(parsed)) : undefined,
    openWhole({ wantsUsage, body, model }, status, headers) {
      const envelope = { created: nowSeconds(), reportUsage: wantsUsage, request: body.json };
      const reader = readWholeAsStream(provider, served, status, headers);
      const splitter = reader.framing.splitter();
      return new NeutralStream(
        { ...reader, splitter, model, fitting: fittingOf(body) },
        asked.encode(envelope),
        caller.closing,
        countText,
      );
    },
  };
}

/** Formats without chats stay unchanged. */
export function withConversions(passing: Translation, format: Format, services: NeutralServices): Translation {
  const { chat } = format;
  if (chat === undefined) return passing;
  const conversions = createConversions(format, format, {
    ...services,
    asked: chat,
    served: chat,
    fittingOf: () => undefined,
  });
  return {
    ...passing,
    openWhole: (parsed, status, headers) => conversions.openWhole(parsed, status, headers),
    readAnswer: (parsed, status, headers, bytes) =>
      conversions.gather(parsed, headers, bytes) ?? passing.readAnswer(parsed, status, headers, bytes),
  };
}
