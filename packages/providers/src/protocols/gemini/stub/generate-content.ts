import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { signThought } from "../../../stub-kit/sign-thought.ts";
import { withoutMarkers } from "../../../stub-kit/markers.ts";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import { composeAnswer, demandedToolCall, fillerWord } from "../../../stub-kit/compose-answer.ts";
import { writeContentLogprobs, wantedByContents } from "../../openai/stub/logprobs.ts";
import { PIXEL } from "../../../stub-kit/picture-store.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";
import { checkContents } from "./check-contents.ts";

const BLOCKED_WORD = "[[blocked]]";
const THOUGHT = "They want an answer.";
const tokensPerContent = 3;
const tokensPerMedium = 258;

interface Composed {
  readonly parts: readonly JsonObject[];
  readonly finishReason: string | null;
  readonly thoughtTokens: number;
  readonly tokens: number;
}

function modelOf({ params: { model = "" }, settings }: Call): string {
  if (!settings.refuseUnknownModels || settings.models.includes(model)) return model;
  throw new RequestRefused(404, openAiErrorBody(`models/${model} is not found for API version v1beta`));
}

export function generateContent(call: Call): Reply {
  const model = modelOf(call);
  const { body, behaviour } = call;
  checkContents(body, model);
  const isStream = call.path.includes(":streamGenerateContent");
  const known = { modelVersion: model, responseId: `fake${call.id}` };
  if (lastText(body).includes(BLOCKED_WORD)) return blocked(call, known, isStream);
  if (wantsPictures(body)) return paint(call, known);
  const composed = compose(call, model);
  const usage = usageOf(body, behaviour, composed);
  const toJson = (): JsonReply => ({
    kind: "json",
    body: {
      candidates: [
        { ...candidateOf(composed.parts, composed.finishReason), ...writePartLogprobs(composed.parts, body) },
      ],
      ...(usage && { usageMetadata: usage }),
      ...known,
    },
    tokens: composed.tokens,
  });
  if (!isStream) return toJson();
  return {
    kind: "stream",
    events: streamEvents(call, composed, known),
    toJson,
  };
}

function wantsPictures(body: JsonObject): boolean {
  const config = body["generationConfig"];
  return isJsonObject(config) && listField(config, "responseModalities").includes("IMAGE");
}

const TOKENS_OF_PICTURE = 1_290;

function paint({ body, behaviour }: Call, known: JsonObject): Reply {
  const picture = { inlineData: { mimeType: "image/png", data: PIXEL } };
  const made = Array.from({ length: behaviour.pieces ?? 1 }, () => picture);
  const prompt = countPromptTokens(body);
  const tokens = made.length * TOKENS_OF_PICTURE;
  const usage = reportUsage(
    {
      promptTokenCount: prompt,
      candidatesTokenCount: tokens,
      totalTokenCount: prompt + tokens,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: tokens }],
    },
    behaviour,
  );
  const parts = [{ ...picture, thought: true }, { text: "Here it is." }, ...made];
  const answer = { candidates: [candidateOf(parts, "STOP")], ...(usage && { usageMetadata: usage }), ...known };
  return { kind: "json", body: answer, tokens };
}

function blocked({ body }: Call, known: JsonObject, isStream: boolean): Reply {
  const prompt = countPromptTokens(body);
  const answer = {
    promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
    usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt },
    ...known,
  };
  const toJson = (): JsonReply => ({ kind: "json", body: answer, tokens: 0 });
  if (!isStream) return toJson();
  return { kind: "stream", events: [{ data: JSON.stringify(answer), part: "finish", tokens: 0 }], toJson };
}

function* streamEvents(call: Call, composed: Composed, known: JsonObject): Generator<StreamEvent> {
  const { behaviour, settings, body } = call;
  let tokens = 0;
  const usageNow = () => {
    const usage = usageOf(body, behaviour, { ...composed, tokens });
    return usage === undefined ? {} : { usageMetadata: usage };
  };
  const event = (
    parts: readonly JsonObject[],
    part: StreamEvent["part"],
    finish: string | null = null,
  ): StreamEvent => {
    if (part === "piece") tokens += 1;
    const candidate = { ...candidateOf(parts, finish), ...writePartLogprobs(parts, body) };
    const data = JSON.stringify({ candidates: [candidate], ...usageNow(), ...known });
    return { data, part, tokens: part === "piece" ? 1 : 0 };
  };
  for (const part of composed.parts) yield event([part], part["thought"] === true ? "opening" : "piece");
  if (behaviour.kind === "endless") {
    for (let position = 0; ; position += 1) {
      const text =
        behaviour.chunkBytes === undefined
          ? fillerWord(position, settings.seed)
          : " ".padEnd(behaviour.chunkBytes, "x");
      yield event([{ text }], "piece");
    }
  }
  if (composed.finishReason !== null) yield event([{ text: "" }], "finish", composed.finishReason);
}

function candidateOf(parts: readonly JsonObject[], finishReason: string | null): JsonObject {
  return { content: { parts, role: "model" }, ...(finishReason !== null && { finishReason }), index: 0 };
}

/** Excludes thoughts. */
function writePartLogprobs(parts: readonly JsonObject[], body: JsonObject): JsonObject {
  const wanted = wantedByContents(body);
  const pieces = parts.flatMap(({ text, thought }) => (typeof text === "string" && thought !== true ? text : []));
  return writeContentLogprobs(
    pieces.filter((text) => text !== ""),
    wanted,
  );
}

function compose(call: Call, model: string): Composed {
  const { body, behaviour, settings } = call;
  const config = isJsonObject(body["generationConfig"]) ? body["generationConfig"] : {};
  const said = lastText(body);
  const limit = countField(config, "maxOutputTokens", 1);
  const tool = demandedToolCall(asOpenAi(body), withoutMarkers(said), call.id, behaviour);
  const thinks = isJsonObject(config["thinkingConfig"]) && config["thinkingConfig"]["includeThoughts"] === true;
  const thoughts = thinks ? [{ text: THOUGHT, thought: true }] : [];
  const thoughtTokens = (behaviour.reasoningTokens ?? 0) + (thinks ? countWords(THOUGHT) : 0);
  const isSigned = thinks || /gemini-[3-9]/.test(model);
  const signed = isSigned ? { thoughtSignature: signThought("gemini") } : {};
  if (tool !== undefined) {
    const args: unknown = JSON.parse(tool.arguments);
    const parts = [...thoughts, { functionCall: { name: tool.name, args }, ...signed }];
    return { parts, finishReason: "STOP", thoughtTokens, tokens: 1 };
  }
  const { pieces, finishReason } = composeAnswer(said, limit, behaviour, settings.seed);
  const names = { stop: "STOP", length: "MAX_TOKENS", tool_calls: "STOP" } as const;
  const texts = pieces.map((text, index) => ({ text, ...(index === pieces.length - 1 && signed) }));
  return {
    parts: [...thoughts, ...texts],
    finishReason: finishReason === null ? null : names[finishReason],
    thoughtTokens,
    tokens: pieces.length,
  };
}

function lastText(body: JsonObject): string {
  const users = listField(body, "contents").filter(
    (content): content is JsonObject => isJsonObject(content) && content["role"] !== "model",
  );
  const last = users.at(-1);
  if (last === undefined) return "";
  const results = listField(last, "parts").flatMap((part) => {
    const result = isJsonObject(part) ? part["functionResponse"] : undefined;
    const response = isJsonObject(result) ? result["response"] : undefined;
    return isJsonObject(response) ? [Object.values(response).join(" ")] : [];
  });
  return contentText(last["parts"]) || results.join(" ");
}

function asOpenAi(body: JsonObject): JsonObject {
  const declared = listField(body, "tools").flatMap((tool) =>
    isJsonObject(tool) ? listField(tool, "functionDeclarations").filter(isJsonObject) : [],
  );
  const config = isJsonObject(body["toolConfig"]) ? body["toolConfig"]["functionCallingConfig"] : undefined;
  const calling = isJsonObject(config) ? config : {};
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

function usageOf(body: JsonObject, behaviour: Behaviour, { thoughtTokens, tokens }: Composed): JsonObject | undefined {
  const prompt = countPromptTokens(body);
  const cached = Math.min(behaviour.cachedTokens ?? 0, prompt);
  const counted = {
    promptTokenCount: prompt,
    candidatesTokenCount: tokens,
    totalTokenCount: prompt + tokens + thoughtTokens,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    ...(thoughtTokens > 0 && { thoughtsTokenCount: thoughtTokens }),
  };
  return reportUsage(counted, behaviour);
}

/** One for each word, 3 for each content and 258 for each picture. */
function countPromptTokens(body: JsonObject): number {
  const system = body["systemInstruction"];
  const contents = [...(isJsonObject(system) ? [system] : []), ...listField(body, "contents").filter(isJsonObject)];
  return contents.reduce<number>((sum, content) => {
    const media = listField(content, "parts").filter(
      (part) => isJsonObject(part) && (part["inlineData"] !== undefined || part["fileData"] !== undefined),
    );
    return sum + tokensPerContent + countWords(contentText(content["parts"])) + media.length * tokensPerMedium;
  }, 0);
}

export function countContentTokens(call: Call): Reply {
  const model = modelOf(call);
  const nested = call.body["generateContentRequest"];
  const request = isJsonObject(nested) ? nested : call.body;
  if (isJsonObject(nested) && nested["model"] !== `models/${model}`) {
    throw new RequestRefused(
      400,
      openAiErrorBody("generate_content_request.model does not match the model of the path"),
    );
  }
  checkContents(request, model);
  return { kind: "json", body: { totalTokens: countPromptTokens(request) }, tokens: 0 };
}
