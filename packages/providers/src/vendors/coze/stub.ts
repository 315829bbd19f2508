import { type StreamEvent, streamEvent } from "../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../stub-kit/chat-endpoint.ts";
import { piecesOf } from "../../stub-kit/compose-answer.ts";
import { isJsonObject, type JsonObject, objectsField } from "../../stub-kit/json-fields.ts";
import { contentText, countWords } from "../../stub-kit/prompt.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { THOUGHT } from "../../stub-kit/thought.ts";

/** A stream of events; without a stream only the beginning, to be polled later. */
const chat = chatEndpoint({
  isStream: () => true,
  ending: { name: "done", data: '"[DONE]"' },
  said: (body) =>
    readMessages(body).findLast(({ role }) => role === "user")?.text ?? refuseField("a question is missing"),
  asked: () => ({}),
  usage({ body, behaviour }, tokens) {
    const input_count = readMessages(body).reduce((sum, { text }) => sum + countWords(text), 0);
    const output_count = tokens + (behaviour.reasoningTokens ?? 0);
    return { token_count: input_count + output_count, output_count, input_count };
  },
  document: (answer) => ({ code: 0, msg: "", data: begunOf(answer) }),
  events,
});

/** Streams of agents, version 3. Source: https://www.coze.com/docs/developer_guides/chat_v3 */
export const cozeStub: Stub = {
  apis: [
    {
      routes: { "POST /v3/chat": chat },
      writeError: errorsByStatus({ 400: 4000, 401: 4100, 403: 4101, 404: 4200, 429: 4013 }, 5000, (code, msg) => ({
        code,
        msg,
      })),
    },
  ],
};

function refuseField(text: string): never {
  refuse(`Request parameter error: ${text}`);
}

interface SaidMessage {
  readonly role: unknown;
  readonly text: string;
}

function readMessages(body: JsonObject): readonly SaidMessage[] {
  if (!/^\d+$/.test(String(body["bot_id"]))) refuseField("bot_id is invalid");
  if (typeof body["user_id"] !== "string" || body["user_id"] === "") refuseField("user_id is missing");
  const messages = objectsField(body, "additional_messages");
  if (messages.length > 100) refuseField("too many messages");
  return messages.map(({ role, content, content_type: kind }) => {
    if (role !== "user" && role !== "assistant") refuseField("role is invalid");
    if (typeof content !== "string" || (kind !== "text" && kind !== "object_string")) refuseField("content is invalid");
    return { role, text: kind === "text" ? content : contentText(readItems(content)) };
  });
}

function readItems(content: string): readonly unknown[] {
  const items: unknown = JSON.parse(content);
  if (!Array.isArray(items)) refuseField("object_string holds no list");
  for (const item of items) {
    const { type, file_url: url, file_id: file } = isJsonObject(item) ? item : {};
    if (type !== "text" && typeof file !== "string" && !/^https?:/.test(String(url)))
      refuseField("file_url is invalid");
  }
  return items;
}

function headOf({ id, body }: ChatAnswer["call"]): object {
  return { id: `chat${id}`, conversation_id: `conv${id}`, bot_id: body["bot_id"], created_at: 1_700_000_000 };
}

function begunOf({ call }: ChatAnswer): object {
  return { ...headOf(call), status: "in_progress", last_error: { code: 0, msg: "" } };
}

function* events(answer: ChatAnswer): Generator<StreamEvent> {
  const { call, pieces, text, finish, usage } = answer;
  const { id, behaviour } = call;
  const event = (name: string, part: StreamEvent["part"], value: object, tokens?: number) =>
    streamEvent(part, value, { name: `conversation.${name}`, tokens });
  const message = { id: `msg${id}`, role: "assistant", type: "answer", content_type: "text", chat_id: `chat${id}` };
  yield event("chat.created", "opening", { ...begunOf(answer), status: "created" });
  yield event("chat.in_progress", "opening", begunOf(answer));
  const { reasoningTokens = 0 } = behaviour;
  if (reasoningTokens > 0) {
    const thought = { ...message, content: "", reasoning_content: THOUGHT };
    yield event("message.delta", "opening", thought, reasoningTokens);
  }
  for (const content of piecesOf(call, pieces)) yield event("message.delta", "piece", { ...message, content });
  yield event("message.completed", "finish", { ...message, content: text });
  const more = { ...message, id: `more${id}`, type: "follow_up", content: "What else?" };
  yield event("message.completed", "finish", more);
  if (finish !== undefined) yield event("chat.completed", "finish", { ...headOf(call), status: "completed", usage });
}
