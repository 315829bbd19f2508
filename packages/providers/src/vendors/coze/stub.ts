import { reportUsage } from "../../stub-kit/report-usage.ts";
import { isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, Reply, StreamEvent } from "../../stub-kit/call.ts";
import { type Answer, composeAnswer, fillerWord } from "../../stub-kit/compose-answer.ts";
import { contentText, countWords } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const CODES: ReadonlyMap<number, number> = new Map([
  [400, 4000],
  [401, 4100],
  [403, 4101],
  [404, 4200],
  [429, 4013],
]);

/** Streams of agents, version 3. Source: https://www.coze.com/docs/developer_guides/chat_v3 */
export const cozeStub: Stub = {
  apis: [
    {
      routes: { "POST /v3/chat": chat },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({ code: CODES.get(status) ?? 5000, msg: error.message }),
    },
  ],
};

function refuse(text: string): never {
  throw new RequestRefused(400, openAiErrorBody(`Request parameter error: ${text}`));
}

/** POST /v3/chat: a stream of events; without a stream only the beginning, to be polled later. */
function chat(call: Call): Reply {
  const { body, id, behaviour, settings } = call;
  const messages = readMessages(body);
  const said = messages.findLast(({ role }) => role === "user")?.text ?? refuse("a question is missing");
  const answer = composeAnswer(said, undefined, behaviour, settings.seed);
  const prompt = messages.reduce((sum, { text }) => sum + countWords(text), 0);
  const head = { id: `chat${id}`, conversation_id: `conv${id}`, bot_id: body["bot_id"], created_at: 1_700_000_000 };
  const begun = { ...head, status: "in_progress", last_error: { code: 0, msg: "" } };
  const output = answer.reasoningTokens + answer.pieces.length;
  const counted = { token_count: prompt + output, output_count: output, input_count: prompt };
  const ended = { ...head, status: "completed", usage: reportUsage(counted, behaviour) };
  return {
    kind: "stream",
    events: events(call, answer, { begun, ended }),
    ending: { name: "done", data: '"[DONE]"' },
    toJson: () => ({ kind: "json", body: { code: 0, msg: "", data: begun }, tokens: 0 }),
  };
}

interface SaidMessage {
  readonly role: unknown;
  readonly text: string;
}

function readMessages(body: JsonObject): readonly SaidMessage[] {
  if (!/^\d+$/.test(String(body["bot_id"]))) refuse("bot_id is invalid");
  if (typeof body["user_id"] !== "string" || body["user_id"] === "") refuse("user_id is missing");
  const messages = listField(body, "additional_messages").filter(isJsonObject);
  if (messages.length > 100) refuse("too many messages");
  return messages.map((message) => {
    const { role, content, content_type: kind } = message;
    if (role !== "user" && role !== "assistant") refuse("role is invalid");
    if (typeof content !== "string" || (kind !== "text" && kind !== "object_string")) refuse("content is invalid");
    return { role, text: kind === "text" ? content : contentText(readItems(content)) };
  });
}

function readItems(content: string): readonly unknown[] {
  const items: unknown = JSON.parse(content);
  if (!Array.isArray(items)) refuse("object_string holds no list");
  for (const item of items) {
    const { type, file_url: url, file_id: file } = isJsonObject(item) ? item : {};
    if (type !== "text" && typeof file !== "string" && !/^https?:/.test(String(url))) refuse("file_url is invalid");
  }
  return items;
}

interface ChatEnds {
  readonly begun: JsonObject;
  readonly ended: JsonObject;
}

function* events(
  { id, behaviour, settings }: Call,
  answer: Answer,
  { begun, ended }: ChatEnds,
): Generator<StreamEvent> {
  const event = (name: string, part: StreamEvent["part"], value: object, tokens = 0): StreamEvent => ({
    name: `conversation.${name}`,
    data: JSON.stringify(value),
    part,
    tokens,
  });
  const message = { id: `msg${id}`, role: "assistant", type: "answer", content_type: "text", chat_id: `chat${id}` };
  yield event("chat.created", "opening", { ...begun, status: "created" });
  yield event("chat.in_progress", "opening", begun);
  if (answer.reasoningTokens > 0) {
    const thought = { ...message, content: "", reasoning_content: "They want an answer." };
    yield event("message.delta", "opening", thought, answer.reasoningTokens);
  }
  for (const content of answer.pieces) yield event("message.delta", "piece", { ...message, content }, 1);
  if (behaviour.kind === "endless") {
    for (let position = 0; ; position += 1)
      yield event("message.delta", "piece", { ...message, content: fillerWord(position, settings.seed) }, 1);
  }
  yield event("message.completed", "finish", { ...message, content: answer.pieces.join("") });
  const more = { ...message, id: `more${id}`, type: "follow_up", content: "What else?" };
  yield event("message.completed", "finish", more);
  if (answer.finishReason !== null) yield event("chat.completed", "finish", ended);
}
