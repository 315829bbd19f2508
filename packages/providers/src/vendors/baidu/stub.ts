import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply, type StreamEvent, streamEvent } from "../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../stub-kit/chat-endpoint.ts";
import { piecesOf } from "../../stub-kit/compose-answer.ts";
import { CREATED_AT_SECONDS, drawing } from "../../stub-kit/pictures/drawing.ts";
import { vectorsOf } from "../../stub-kit/embedding-vector.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { countChatPromptTokens, countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import { usageField } from "../../stub-kit/report-usage.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { THOUGHT } from "../../stub-kit/thought.ts";

const PATH = "/rpc/2.0/ai_custom/v1/wenxinworkshop";
const TOKEN_SECONDS = 2_592_000;
const DIMENSIONS = 384;

/** Each token names its owner and is unique. */
function grantToken({ id, query }: Call): Reply {
  const asked = new URLSearchParams(query);
  if (asked.get("grant_type") !== "client_credentials") refuse("grant_type");
  const key = Buffer.from(`${asked.get("client_id")}|${asked.get("client_secret")}`).toString("base64url");
  return json({ access_token: `24.${key}.${id}`, expires_in: TOKEN_SECONDS, refresh_token: "25.x", scope: "public" });
}

const draw = drawing({
  fields: "refer_image user n size steps seed guidance",
  count(body) {
    const count = countField(body, "n", 1) ?? 1;
    return count > 4 ? refuse("n must be in [1, 4]") : count;
  },
  answer: (urls, { id }) => ({ id: `as-${id}`, created: CREATED_AT_SECONDS, data: urls.map((url) => ({ url })) }),
});

const chat = chatEndpoint({
  check: ({ body }) => checkChat(body),
  asked: (body) => ({
    ...body,
    tools: listField(body, "functions").map((each) => ({ type: "function", function: each })),
  }),
  limit: (body) => countField(body, "max_output_tokens", 1),
  reasons: { stop: "normal", length: "length", tool_calls: "function_call" },
  usage: countedUsage,
  document: ({ call, text, toolCall, finish: finish_reason, usage }) => ({
    ...headOf(call),
    result: text,
    is_truncated: finish_reason === "length",
    need_clear_history: false,
    ...callOf(toolCall),
    finish_reason,
    ...(usage && { usage }),
  }),
  events,
});

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
      writeError: errorsByStatus(
        { 400: 336003, 401: 110, 402: 17, 403: 6, 404: 336005, 429: 18, 503: 336100, 529: 336100 },
        336000,
        (error_code, error_msg) => ({ error_code, error_msg, id: "as-fake" }),
      ),
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
    openAiApi({ at: "/v2", routes: { "POST /v2/images/generations": draw } }),
  ],
};

function headOf({ id }: Call): JsonObject {
  return { id: `as-${id}`, object: "chat.completion", created: 1_763_769_600 };
}

function callOf(call: ChatAnswer["toolCall"]): JsonObject {
  if (call === undefined) return {};
  return { function_call: { name: call.name, thoughts: THOUGHT, arguments: call.arguments } };
}

function countedUsage({ body }: Call, written: number): JsonObject {
  const prompt = countChatPromptTokens(body);
  return { prompt_tokens: prompt, completion_tokens: written, total_tokens: prompt + written };
}

/** Every event counts the answer so far; the last has `is_end`. */
function* events({ call, pieces, toolCall, finish: finish_reason }: ChatAnswer): Generator<StreamEvent> {
  let sentences = 0;
  const event = (part: StreamEvent["part"], result: string, more: JsonObject = {}): StreamEvent => {
    const usage = usageField(countedUsage(call, sentences + (part === "piece" ? 1 : 0)), call.behaviour);
    const fields = { sentence_id: sentences, is_end: false, is_truncated: false, result, need_clear_history: false };
    sentences += 1;
    return streamEvent(part, { ...headOf(call), ...fields, finish_reason: "normal", ...more, ...usage });
  };
  for (const text of piecesOf(call, pieces)) yield event("piece", text);
  if (toolCall !== undefined) yield event("piece", "", { is_end: true, finish_reason, ...callOf(toolCall) });
  else if (finish_reason !== undefined)
    yield event("finish", "", { is_end: true, is_truncated: finish_reason === "length", finish_reason });
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
  const { body, behaviour } = call;
  const texts = inputTexts(listField(body, "input"));
  if (texts.length === 0 || texts.length > 16) refuse("input must hold 1 to 16 texts");
  const vectors = vectorsOf(call, texts, DIMENSIONS);
  const data = vectors.map((embedding, index) => ({ object: "embedding", embedding, index }));
  const count = countInputTokens(body["input"]);
  const usage = usageField({ prompt_tokens: count, total_tokens: count }, behaviour);
  return json({ ...headOf(call), object: "embedding_list", data, ...usage });
}
