import { rewrittenChat } from "../../protocols/openai/stub/rewritten-chat.ts";
import type { Call, Reply } from "../../stub-kit/call.ts";
import { isJsonObject, type JsonObject, listField, objectField, objectsField } from "../../stub-kit/json-fields.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** iFlytek's Spark over HTTP, whose errors have status 200. Source: https://www.xfyun.cn/doc/spark/HTTP调用文档.html */
export const sparkStub: Stub = {
  apis: [
    {
      routes: { "POST /v[12]/chat/completions": chat },
      writeError: errorsByStatus(
        { 400: 10005, 401: 10015, 403: 11200, 404: 10404, 429: 11202, 503: 10110, 529: 10110 },
        10012,
        (code, message) => ({ code, message, sid: "cha-fake" }),
      ),
      errorStatus: 200,
    },
  ],
};

/** Answers in OpenAI's format with a code, and without a finish reason in streams. Contents must be plain texts. */
function chat(call: Call): Reply {
  const { body, id } = call;
  for (const message of listField(body, "messages")) {
    const content = isJsonObject(message) ? message["content"] : undefined;
    if (content !== null && typeof content !== "string") refuse("content must be a string");
  }
  const sid = `cha-${id}`;
  const hasList = body["tool_calls_switch"] === true;
  const write = (answer: JsonObject) => ({
    code: 0,
    message: "Success",
    sid,
    id: sid,
    created: answer["created"],
    choices: objectsField(answer, "choices").map((choice) => choiceOf(choice, hasList)),
    ...(isJsonObject(answer["usage"]) && { usage: answer["usage"] }),
  });
  return rewrittenChat(call, body, { write, usage: "usage", hasEnding: true });
}

function choiceOf(choice: JsonObject, hasList: boolean): JsonObject {
  const name = choice["delta"] === undefined ? "message" : "delta";
  const { tool_calls: _, ...rest } = objectField(choice, name);
  const list = listField(objectField(choice, name), "tool_calls");
  const called = list.length === 0 ? {} : { tool_calls: hasList ? list : list[0] };
  return { index: choice["index"], [name]: { ...rest, ...called } };
}
