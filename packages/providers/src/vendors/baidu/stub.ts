import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { CREATED_AT_SECONDS, readPrompt } from "../../protocols/openai/stub/picture-fields.ts";
import { pictureUrls } from "../../stub-kit/picture-store.ts";
import { reportUsage } from "../../stub-kit/report-usage.ts";
import { embeddingVector } from "../../stub-kit/embedding-vector.ts";
import { withoutMarkers } from "../../stub-kit/markers.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import { type Call, json, type JsonReply, type Reply, type StreamEvent } from "../../stub-kit/call.ts";
import { composeAnswer, demandedToolCall, fillerWord, type ToolCall } from "../../stub-kit/compose-answer.ts";
import { countChatPromptTokens, countInputTokens, inputTexts, promptText } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const PATH = "/rpc/2.0/ai_custom/v1/wenxinworkshop";
const TOKEN_SECONDS = 2_592_000;
const DIMENSIONS = 384;
const THOUGHT = "They want an answer.";

/** Each token names its owner and is unique. */
function grantToken({ id, query }: Call): Reply {
  const asked = new URLSearchParams(query);
  if (asked.get("grant_type") !== "client_credentials") throw new RequestRefused(400, openAiErrorBody("grant_type"));
  const key = Buffer.from(`${asked.get("client_id")}|${asked.get("client_secret")}`).toString("base64url");
  const body = { access_token: `24.${key}.${id}`, expires_in: TOKEN_SECONDS, refresh_token: "25.x", scope: "public" };
  return { kind: "json", body, tokens: 0 };
}

const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 336003,
  401: 110,
  402: 17,
  403: 6,
  404: 336005,
  429: 18,
  503: 336100,
  529: 336100,
};

/** Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/zm696hdfq */
function makePictures(call: Call): Reply {
  readPrompt(call, ["refer_image", "user", "n", "size", "steps", "seed", "guidance"]);
  const count = countField(call.body, "n", 1) ?? 1;
  if (count > 4) refuse("n must be in [1, 4]");
  const data = pictureUrls(call, count).map((url) => ({ url }));
  return json({ id: `as-${call.id}`, created: CREATED_AT_SECONDS, data });
}

/**
 * The current API, the older one, whose errors have status 200, and its token exchange.
 * Sources: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t, https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5
 */
export const baiduStub: Stub = {
  apis: [
    {
      routes: { [`POST ${PATH}/chat/{model}`]: chat, [`POST ${PATH}/embeddings/{model}`]: embed },
      readKey: (_headers, { query }) => {
        const [, key = ""] = (new URLSearchParams(query).get("access_token") ?? "").split(".");
        return key === "" ? undefined : Buffer.from(key, "base64url").toString();
      },
      writeError: (status, { error }) => ({
        error_code: CODE_OF_STATUS[status] ?? 336000,
        error_msg: error.message,
        id: "as-fake",
      }),
      errorStatus: 200,
    },
    {
      routes: { "POST /oauth/2.0/token": grantToken },
      readKey: (_headers, { query }) => {
        const asked = new URLSearchParams(query);
        return [asked.get("client_id"), asked.get("client_secret")].filter(Boolean).join("|") || undefined;
      },
      writeError: () => ({ error: "invalid_client", error_description: "unknown client id" }),
      isAside: true,
    },
    openAiApi({ at: "/v2", routes: { "POST /v2/images/generations": makePictures } }),
  ],
};

interface Composed {
  readonly pieces: readonly string[];
  readonly call: ToolCall | undefined;
  /** Undefined when the behaviour hides it. */
  readonly finishReason: string | undefined;
  readonly promptTokens: number;
}

function chat(call: Call): Reply {
  const { body } = call;
  checkChat(body);
  const composed = compose(call);
  const tokens = composed.call === undefined ? composed.pieces.length : 1;
  const toJson = (): JsonReply => ({
    kind: "json",
    body: {
      ...head(call),
      result: composed.pieces.join(""),
      is_truncated: composed.finishReason === "length",
      need_clear_history: false,
      ...callOf(composed),
      finish_reason: composed.finishReason,
      ...usageOf(call, composed, tokens),
    },
    tokens,
  });
  return body["stream"] === true ? { kind: "stream", events: events(call, composed), toJson } : toJson();
}

function head({ id }: Call): JsonObject {
  return { id: `as-${id}`, object: "chat.completion", created: 1_763_769_600 };
}

function compose({ id, body, behaviour, settings }: Call): Composed {
  const said = promptText(body);
  const tools = listField(body, "functions").map((each) => ({ type: "function", function: each }));
  const asked = { ...body, tools };
  const call = demandedToolCall(asked, withoutMarkers(said), id, behaviour);
  const answer = composeAnswer(said, countField(body, "max_output_tokens", 1), behaviour, settings.seed);
  const reason = answer.finishReason === "stop" ? "normal" : (answer.finishReason ?? undefined);
  return {
    pieces: call === undefined ? answer.pieces : [],
    call,
    finishReason: call === undefined ? reason : "function_call",
    promptTokens: countChatPromptTokens(body),
  };
}

function callOf({ call }: Composed): JsonObject {
  if (call === undefined) return {};
  return { function_call: { name: call.name, thoughts: THOUGHT, arguments: call.arguments } };
}

function usageOf({ behaviour }: Call, { promptTokens }: Composed, written: number): JsonObject {
  const counted = { prompt_tokens: promptTokens, completion_tokens: written, total_tokens: promptTokens + written };
  const usage = reportUsage(counted, behaviour);
  return usage === undefined ? {} : { usage };
}

/** Every event counts the answer so far; the last has `is_end`. */
function* events(call: Call, composed: Composed): Generator<StreamEvent> {
  const { behaviour, settings } = call;
  let sentences = 0;
  const event = (result: string, more: JsonObject, part: StreamEvent["part"], tokens: number): StreamEvent => {
    const written = sentences + tokens;
    const fields = { sentence_id: sentences, is_end: false, is_truncated: false, result, need_clear_history: false };
    sentences += 1;
    const said = { ...head(call), ...fields, finish_reason: "normal", ...more, ...usageOf(call, composed, written) };
    return { data: JSON.stringify(said), part, tokens };
  };
  for (const text of composed.pieces) yield event(text, {}, "piece", 1);
  if (behaviour.kind === "endless") {
    for (let position = 0; ; position += 1) {
      const { chunkBytes } = behaviour;
      const text = chunkBytes === undefined ? fillerWord(position, settings.seed) : " ".padEnd(chunkBytes, "x");
      yield event(text, {}, "piece", 1);
    }
  }
  const { finishReason: finish_reason } = composed;
  if (composed.call !== undefined) yield event("", { is_end: true, finish_reason, ...callOf(composed) }, "piece", 1);
  else if (finish_reason !== undefined) {
    const isCut = finish_reason === "length";
    yield event("", { is_end: true, is_truncated: isCut, finish_reason }, "finish", 0);
  }
}

function refuse(text: string): never {
  throw new RequestRefused(400, openAiErrorBody(text));
}

/** User and model must alternate, and numbers must be in Baidu's ranges. */
function checkChat(body: JsonObject): void {
  const messages = listField(body, "messages");
  if (messages.length % 2 === 0) refuse("the length of messages must be an odd number");
  for (const [index, message] of messages.entries()) {
    if (!isJsonObject(message) || typeof message["content"] !== "string") refuse("content must be a string");
    const { role, content } = message;
    const fits = index % 2 === 1 ? role === "assistant" : role === "user" || (role === "function" && index > 0);
    if (!fits) refuse(`the role of message with index ${index} is not valid: ${String(role)}`);
    if (content === "" && message["function_call"] === undefined) refuse("message content can not be empty");
  }
  inRange(body, "temperature", 0.01, 1);
  inRange(body, "top_p", 0, 1);
  inRange(body, "penalty_score", 1, 2);
  inRange(body, "max_output_tokens", 2, 2_048);
}

function inRange(body: JsonObject, name: string, least: number, most: number): void {
  const value = body[name];
  if (value === undefined) return;
  if (typeof value !== "number" || value < least || value > most) refuse(`${name} must be in [${least}, ${most}]`);
}

function embed(call: Call): Reply {
  const { body, behaviour, settings } = call;
  const texts = inputTexts(listField(body, "input"));
  if (texts.length === 0 || texts.length > 16) refuse("input must hold 1 to 16 texts");
  const data = texts.map((text, index) => ({
    object: "embedding",
    embedding: Array.from(embeddingVector(text, DIMENSIONS, settings.seed)),
    index,
  }));
  const count = countInputTokens(body["input"]);
  const usage = reportUsage({ prompt_tokens: count, total_tokens: count }, behaviour);
  return { kind: "json", body: { ...head(call), object: "embedding_list", data, ...(usage && { usage }) }, tokens: 0 };
}
