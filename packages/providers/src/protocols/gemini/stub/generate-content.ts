import { type Call, json, type Reply, type StreamEvent, streamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { composeReply, endlessPieces } from "../../../stub-kit/compose-answer.ts";
import {
  countField,
  isJsonObject,
  type JsonObject,
  listField,
  objectField,
  objectsField,
} from "../../../stub-kit/json-fields.ts";
import { PIXEL } from "../../../stub-kit/pictures/picture-store.ts";
import { contentText, countPromptTokens, countWords } from "../../../stub-kit/prompt.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { cachedOf, usageField } from "../../../stub-kit/report-usage.ts";
import { signThought, THOUGHT } from "../../../stub-kit/thought.ts";
import { wantedByContents, writeContentLogprobs } from "../../openai/stub/logprobs.ts";
import { checkContents } from "./check-contents.ts";

const BLOCKED_WORD = "[[blocked]]";
const TOKENS_A_PICTURE = 258;

interface Composed {
  readonly parts: readonly JsonObject[];
  readonly finishReason: string | null;
  readonly thoughtTokens: number;
  readonly tokens: number;
}

function modelOf({ params: { model = "" }, settings }: Call): string {
  if (!settings.refuseUnknownModels || settings.models.includes(model)) return model;
  return refuse(`models/${model} is not found for API version v1beta`, { status: 404 });
}

export function generateContent(call: Call): Reply {
  const model = modelOf(call);
  const { body } = call;
  checkContents(body, model);
  const isStream = call.path.includes(":streamGenerateContent");
  const known = { modelVersion: model, responseId: `fake${call.id}` };
  if (lastText(body).includes(BLOCKED_WORD)) return blocked(call, known, isStream);
  if (listField(objectField(body, "generationConfig"), "responseModalities").includes("IMAGE"))
    return paint(call, known);
  const composed = compose(call, model);
  return streamOrJson(
    isStream,
    () => json({ candidates: [candidateOf(call, composed)], ...usageOf(call, composed), ...known }, composed.tokens),
    { events: streamEvents(call, composed, known) },
  );
}

const TOKENS_OF_PICTURE = 1_290;

function paint(call: Call, known: JsonObject): Reply {
  const { body, behaviour } = call;
  const picture = { inlineData: { mimeType: "image/png", data: PIXEL } };
  const made = Array.from({ length: behaviour.pieces ?? 1 }, () => picture);
  const prompt = promptTokensOf(body);
  const tokens = made.length * TOKENS_OF_PICTURE;
  const counted = {
    promptTokenCount: prompt,
    candidatesTokenCount: tokens,
    totalTokenCount: prompt + tokens,
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: tokens }],
  };
  const parts = [{ ...picture, thought: true }, { text: "Here it is." }, ...made];
  const candidate = { content: { parts, role: "model" }, finishReason: "STOP", index: 0 };
  return json({ candidates: [candidate], ...usageField(counted, behaviour, "usageMetadata"), ...known }, tokens);
}

function blocked({ body }: Call, known: JsonObject, isStream: boolean): Reply {
  const prompt = promptTokensOf(body);
  const answer = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt },
    ...known,
  };
  return streamOrJson(isStream, () => json(answer), { events: [streamEvent("finish", answer)] });
}

function* streamEvents(call: Call, composed: Composed, known: JsonObject): Generator<StreamEvent> {
  const { behaviour, settings } = call;
  let tokens = 0;
  const event = (of: JsonObject, part: StreamEvent["part"], finishReason: string | null = null): StreamEvent => {
    if (part === "piece") tokens += 1;
    const candidate = candidateOf(call, { parts: [of], finishReason });
    return streamEvent(part, { candidates: [candidate], ...usageOf(call, { ...composed, tokens }), ...known });
  };
  for (const part of composed.parts) yield event(part, part["thought"] === true ? "opening" : "piece");
  if (behaviour.kind === "endless") {
    for (const text of endlessPieces(behaviour.chunkBytes, settings.seed)) yield event({ text }, "piece");
  }
  if (composed.finishReason !== null) yield event({ text: "" }, "finish", composed.finishReason);
}

function candidateOf({ body }: Call, { parts, finishReason }: Pick<Composed, "parts" | "finishReason">): JsonObject {
  const spoken = parts.flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? text : []));
  return {
    content: { parts, role: "model" },
    ...(finishReason !== null && { finishReason }),
    index: 0,
    ...writeContentLogprobs(
      spoken.filter((text) => text !== ""),
      wantedByContents(body),
    ),
  };
}

const FINISH_REASONS = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP" } as const;

function compose(call: Call, model: string): Composed {
  const { body, behaviour } = call;
  const config = objectField(body, "generationConfig");
  const limit = countField(config, "maxOutputTokens", 1);
  const { toolCall: tool, pieces, finishReason } = composeReply(call, lastText(body), asOpenAi(body), limit);
  const thinks = objectField(config, "thinkingConfig")["includeThoughts"] === true;
  const thoughts = thinks ? [{ text: THOUGHT, thought: true }] : [];
  const thoughtTokens = (behaviour.reasoningTokens ?? 0) + (thinks ? countWords(THOUGHT) : 0);
  const isSigned = thinks || /gemini-[3-9]/.test(model);
  const signed = isSigned ? { thoughtSignature: signThought("gemini") } : {};
  if (tool !== undefined) {
    const args: unknown = JSON.parse(tool.arguments);
    const parts = [...thoughts, { functionCall: { name: tool.name, args }, ...signed }];
    return { parts, finishReason: "STOP", thoughtTokens, tokens: 1 };
  }
  const texts = pieces.map((text, index) => ({ text, ...(index === pieces.length - 1 && signed) }));
  return {
    parts: [...thoughts, ...texts],
    finishReason: finishReason === null ? null : FINISH_REASONS[finishReason],
    thoughtTokens,
    tokens: pieces.length,
  };
}

function lastText(body: JsonObject): string {
  const last = objectsField(body, "contents").findLast(({ role }) => role !== "model") ?? {};
  const results = objectsField(last, "parts").flatMap((part) => {
    const response = objectField(part, "functionResponse")["response"];
    return isJsonObject(response) ? [Object.values(response).join(" ")] : [];
  });
  return contentText(last["parts"]) || results.join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const declared = objectsField(body, "tools").flatMap((tool) => objectsField(tool, "functionDeclarations"));
  const calling = objectField(objectField(body, "toolConfig"), "functionCallingConfig");
  const [name] = listField(calling, "allowedFunctionNames");
  return {
    tools: declared.map((declaration) => ({
      function: {
        name: declaration["name"],
        parameters: declaration["parametersJsonSchema"] ?? lowerCaseTypes(declaration["parameters"]),
      },
    })),
    tool_choice: calling["mode"] === "ANY" ? (name === undefined ? "required" : { function: { name } }) : undefined,
  };
}

function lowerCaseTypes(schema: unknown): unknown {
  const text = JSON.stringify(schema ?? {});
  return JSON.parse(text.replace(/"type":"([A-Z]+)"/g, (_all, type: string) => `"type":"${type.toLowerCase()}"`));
}

function usageOf({ body, behaviour }: Call, { thoughtTokens, tokens }: Composed): JsonObject {
  const prompt = promptTokensOf(body);
  const cached = cachedOf(prompt, behaviour);
  const counted = {
    promptTokenCount: prompt,
    candidatesTokenCount: tokens,
    totalTokenCount: prompt + tokens + thoughtTokens,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(thoughtTokens > 0 && { thoughtsTokenCount: thoughtTokens }),
  };
  return usageField(counted, behaviour, "usageMetadata");
}

function promptTokensOf(body: JsonObject): number {
  const system = isJsonObject(body["systemInstruction"]) ? [body["systemInstruction"]] : [];
  const contents = [...system, ...objectsField(body, "contents")].map(({ parts }) => parts);
  return countPromptTokens(contents, contents.length, TOKENS_A_PICTURE);
}

export function countContentTokens(call: Call): Reply {
  const model = modelOf(call);
  const nested = call.body["generateContentRequest"];
  const request = isJsonObject(nested) ? nested : call.body;
  if (isJsonObject(nested) && nested["model"] !== `models/${model}`)
    refuse("generate_content_request.model does not match the model of the path");
  checkContents(request, model);
  return json({ totalTokens: promptTokensOf(request) });
}
