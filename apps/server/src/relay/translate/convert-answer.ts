import type { AskedChat, Format, ProviderChat, ProviderFormat } from "@one-api/providers/format";
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

/** What a translation takes from outside. */
export interface NeutralParts {
  readonly countText: (text: string) => number;
  /** Dates the answers. */
  readonly nowSeconds: () => number;
}

/** How a provider's answers are read, and how the caller's are written. */
interface ConversionParts extends NeutralParts {
  readonly asked: Pick<AskedChat, "encode" | "writeAnswer">;
  readonly served: ProviderChat;
  /** What the answer to a request must undo; undefined for nothing. */
  readonly fittingOf: (body: RequestBody) => Fitting | undefined;
}

/** What makes an answer of the kind that was asked for of one of the other kind. */
interface Conversions extends Required<Pick<Translation, "openWhole">> {
  /** Returns what writes a whole answer for the caller. */
  writer(ask: ParsedRequest): (read: ChatAnswer) => object;
  /** Reads a stream that came in the place of a whole answer; undefined for bytes that are none. */
  gather(ask: ParsedRequest, headers: AnswerHeaders, bytes: Buffer): ReadAnswer | undefined;
}

/** Builds the conversions between whole answers and streams of a provider's format for callers of a format. */
export function createConversions(
  caller: Format,
  provider: ProviderFormat,
  { asked, served, countText, nowSeconds, fittingOf }: ConversionParts,
): Conversions {
  const { framing = SERVER_SENT_EVENTS } = provider;
  const isStream = (headers: AnswerHeaders, bytes: Buffer) => {
    // One document may be an answer or all of a stream.
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
    gather: (ask, headers, bytes) =>
      isStream(headers, bytes) ? readGathered(provider, served, bytes, writer(ask)) : undefined,
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

/** Returns the way of bytes that pass, with what converts answers of the other kind than was asked for; as it is for formats that hold no chats. */
export function withConversions(passing: Translation, format: Format, parts: NeutralParts): Translation {
  const { chat } = format;
  if (chat === undefined) return passing;
  const conversions = createConversions(format, format, {
    ...parts,
    asked: chat,
    served: chat,
    fittingOf: () => undefined,
  });
  return {
    ...passing,
    openWhole: (ask, status, headers) => conversions.openWhole(ask, status, headers),
    readAnswer: (ask, status, headers, bytes) =>
      conversions.gather(ask, headers, bytes) ?? passing.readAnswer(ask, status, headers, bytes),
  };
}
