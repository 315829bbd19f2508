import type { Format, ProviderFormat, RequestEdits, SystemPromptEffect } from "@one-api/providers/format";
import type { AskedChat, ProviderChat, ProviderSide, WholeSide } from "@one-api/providers/format-sides";
import { SERVER_SENT_EVENTS } from "@one-api/providers/framing/framing";
import type { ChatMessage, ChatRequest } from "@one-api/providers/neutral/chat-request";
import { type Fitting, fitRequest } from "@one-api/providers/neutral/fit/fit-request";
import { USUAL_LIMITS } from "@one-api/providers/neutral/fit/request-limits";
import { withExactFields } from "@one-api/providers/shared/exact-numbers";
import { type JsonRecord, recordOf } from "@one-api/providers/shared/json-fields";
import type { ParsedRequest, RequestBody } from "../body/index.ts";
import { createPictureTranslation } from "./pictures-through-neutral.ts";
import { createConversions, type NeutralServices } from "./convert-answer.ts";
import { NeutralStream } from "./neutral-stream.ts";
import { readAnswer } from "./read-whole-answer.ts";
import type { Translation, WriteEdits, WrittenRequest } from "./translation.ts";
import { overridesOf, overrideWritten } from "./override-body.ts";
import { nameDropped, orRefuse } from "./untranslatable.ts";

export function createThroughNeutral(caller: Format, provider: ProviderFormat, services: NeutralServices): Translation {
  if (caller.embeddings !== undefined && provider.embeddings !== undefined) {
    return createWholeTranslation(caller.embeddings, provider.embeddings, provider);
  }
  if (caller.rerank !== undefined && provider.rerank !== undefined) {
    return createWholeTranslation(caller.rerank, provider.rerank, provider);
  }
  if (caller.askedPictures !== undefined && provider.pictures !== undefined) {
    const { nowSeconds } = services;
    return createPictureTranslation({ asked: caller.askedPictures, served: provider.pictures, provider, nowSeconds });
  }
  const asked = required(caller.name, caller.chat ?? caller.askedChat);
  const served = required(provider.name, provider.chat);
  const { framing = SERVER_SENT_EVENTS } = provider;
  const fittings = new WeakMap<RequestBody, Fitting>();
  const conversions = createConversions(caller, provider, {
    ...services,
    asked,
    served,
    fittingOf: (body) => fittings.get(body),
  });
  return {
    openWhole: (parsed, status, headers) => conversions.openWhole(parsed, status, headers),
    writeRequest(parsed, edits) {
      const { written, fitting } = writeRequest(asked, served, parsed, edits);
      if (fitting === undefined) fittings.delete(parsed.body);
      else fittings.set(parsed.body, fitting);
      return written;
    },
    streamType: framing.contentType,
    openStream: ({ wantsUsage, body, model }) => {
      const envelope = { created: services.nowSeconds(), reportUsage: wantsUsage, request: body.json };
      const fitting = fittings.get(body);
      return new NeutralStream(
        { framing, splitter: framing.splitter(), decoder: served.decode(), model, fitting },
        asked.encode(envelope),
        caller.closing,
        services.countText,
      );
    },
    readAnswer(parsed, status, headers, bytes) {
      const gathered = conversions.gather(parsed, headers, bytes);
      if (gathered !== undefined) return gathered;
      const write = conversions.writer(parsed);
      return readAnswer(provider, status, headers, bytes, (answer, counted) => {
        if (served.readAnswer === undefined) return undefined;
        const read = served.readAnswer(answer);
        return write(counted === undefined ? read : { ...read, usage: counted });
      });
    },
    readError: (status, headers, body) => provider.readError(status, headers, body),
    answerText: (bytes) => caller.answerText(JSON.parse(bytes.toString())),
  };
}

function required<Side>(name: string, side: Side | undefined): Side {
  if (side === undefined) throw new Error(`There is no way from or to the format ${name}.`);
  return side;
}

function writeRequest(
  asked: AskedChat,
  served: ProviderChat,
  parsed: ParsedRequest,
  edits: WriteEdits,
): { readonly written: WrittenRequest; readonly fitting: Fitting | undefined } {
  return orRefuse(() => {
    const { bytes: given } = parsed.body;
    const json = withoutFields(parsed.body.json, parsed.fallbacks.fields);
    const asking = recordOf(withExactFields(json, given, parsed.format.exactFields));
    const read = { ...asked.readRequest(asking), stream: parsed.stream };
    const { request, fitting } = fitRequest(editRequest(read, edits), served.limits ?? USUAL_LIMITS);
    const { body, dropped } = served.writeRequest(request);
    const systemPrompt: SystemPromptEffect | undefined =
      edits.systemPrompt === "" ? undefined : hasSystem(read) ? "replaced" : "added";
    const overrides = overridesOf(parsed, edits.overrides);
    const { written: sent, tier } =
      overrides === undefined ? { written: body, tier: undefined } : overrideWritten(body, overrides);
    const bytes = Buffer.from(JSON.stringify(sent));
    // If the gateway set the limit, callers need not know that it was dropped.
    const named = parsed.maxTokens === undefined ? dropped.filter((name) => name !== "max_tokens") : dropped;
    const written = {
      body: bytes,
      dropped: nameDropped(named),
      systemPrompt,
      stream: parsed.stream,
      formatHeaders: {},
      ...(tier && { tier }),
    };
    return { written, fitting };
  });
}

function withoutFields(json: JsonRecord, names: readonly string[]): JsonRecord {
  if (names.length === 0) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

function createWholeTranslation<
  Request extends { readonly model: string },
  Answer extends { readonly promptTokens: number | undefined },
>(asked: WholeSide<Request, Answer>, served: ProviderSide<Request, Answer>, provider: ProviderFormat): Translation {
  return {
    writeRequest: (parsed, { model }) =>
      orRefuse(() => {
        const { body, dropped } = served.writeRequest({ ...asked.readRequest(parsed.body.json), model });
        const bytes = Buffer.from(JSON.stringify(body));
        return {
          body: bytes,
          dropped: nameDropped(dropped),
          systemPrompt: undefined,
          stream: false,
          formatHeaders: {},
        };
      }),
    streamType: SERVER_SENT_EVENTS.contentType,
    openStream() {
      throw new Error("There are no streams of what has whole answers alone.");
    },
    readAnswer: ({ body, model }, status, headers, bytes) =>
      readAnswer(provider, status, headers, bytes, (answer, counted) => {
        const read = served.readAnswer(answer);
        const completed = counted === undefined ? read : { ...read, promptTokens: counted.promptTokens };
        return asked.writeAnswer(completed, { ...asked.readRequest(body.json), model });
      }),
    readError: (status, headers, body) => provider.readError(status, headers, body),
    answerText: () => "",
  };
}

function editRequest(request: ChatRequest, { model, systemPrompt, maxTokens }: RequestEdits): ChatRequest {
  const options = { ...request.options, maxTokens: maxTokens ?? request.options.maxTokens };
  return { ...request, model, options, messages: withSystemPrompt(request, systemPrompt) };
}

function withSystemPrompt(request: ChatRequest, systemPrompt: string): readonly ChatMessage[] {
  if (systemPrompt === "") return request.messages;
  const system: ChatMessage = { role: "system", name: "", parts: [{ type: "text", text: systemPrompt }] };
  return [system, ...request.messages.slice(hasSystem(request) ? 1 : 0)];
}

function hasSystem({ messages }: ChatRequest): boolean {
  return messages[0]?.role === "system";
}
