import { isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../stub-kit/call.ts";
import { chatCompletions } from "../../protocols/openai/stub/completions.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const CODE_OF_STATUS: Readonly<Record<number, number>> = {
  400: 10005,
  401: 10015,
  403: 11200,
  404: 10404,
  429: 11202,
  503: 10110,
  529: 10110,
};

/** iFlytek's Spark over HTTP, whose errors have status 200. Source: https://www.xfyun.cn/doc/spark/HTTP调用文档.html */
export const sparkStub: Stub = {
  apis: [
    {
      routes: { "POST /v[12]/chat/completions": chat },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({
        code: CODE_OF_STATUS[status] ?? 10012,
        message: error.message,
        sid: "cha-fake",
      }),
      errorStatus: 200,
    },
  ],
};

/** Answers in OpenAI's format with a code, and without a finish reason in streams. */
function chat(call: Call): Reply {
  checkMessages(call.body);
  const reply = chatCompletions({ ...call, body: { ...call.body, stream_options: { include_usage: true } } });
  const written = ({ body, ...rest }: JsonReply): JsonReply => ({
    ...rest,
    body: withCode(call, body, listCalls(call)),
  });
  if (reply.kind === "json") return written(reply);
  if (reply.kind === "bytes") return reply;
  const { ending } = reply;
  return {
    kind: "stream",
    events: events(call, reply.events),
    ...(ending && { ending }),
    toJson: () => written(reply.toJson()),
  };
}

/** Contents must be plain texts. */
function checkMessages(body: JsonObject): void {
  for (const message of listField(body, "messages")) {
    const content = isJsonObject(message) ? message["content"] : undefined;
    if (content === null || typeof content === "string") continue;
    throw new RequestRefused(400, openAiErrorBody("content must be a string"));
  }
}

const listCalls = ({ body }: Call): boolean => body["tool_calls_switch"] === true;

function withCode({ id }: Call, answer: unknown, hasList: boolean): JsonObject {
  const { choices, usage, created } = isJsonObject(answer) ? answer : {};
  const written = (Array.isArray(choices) ? choices : [])
    .filter(isJsonObject)
    .map((choice) => choiceOf(choice, hasList));
  const sid = `cha-${id}`;
  return {
    code: 0,
    message: "Success",
    sid,
    id: sid,
    created,
    choices: written,
    ...(isJsonObject(usage) && { usage }),
  };
}

/** Calls are one object, unless the request asks for a list. */
function choiceOf({ index, message, delta }: JsonObject, hasList: boolean): JsonObject {
  const said = message ?? delta;
  const { tool_calls: calls, ...rest } = isJsonObject(said) ? said : {};
  const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
  const called = list.length === 0 ? {} : { tool_calls: hasList ? list : list[0] };
  return { index, [delta === undefined ? "message" : "delta"]: { ...rest, ...called } };
}

/** The usage is in the last event. */
function* events(call: Call, source: Iterable<StreamEvent>): Generator<StreamEvent> {
  let last: StreamEvent | undefined;
  for (const event of source) {
    const parsed: unknown = JSON.parse(event.data);
    const written = withCode(call, parsed, listCalls(call));
    if (event.part === "finish") {
      last = { ...event, data: JSON.stringify(written) };
    } else if (event.part === "usage") {
      const before: unknown = JSON.parse(last?.data ?? "{}");
      last = { ...event, data: JSON.stringify({ ...(isJsonObject(before) ? before : {}), usage: written["usage"] }) };
    } else {
      yield { ...event, data: JSON.stringify(written) };
    }
  }
  if (last !== undefined) yield last;
}
