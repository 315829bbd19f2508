import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { rewrittenChat } from "../../protocols/openai/stub/rewritten-chat.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, EVENTS, json, type Reply } from "../../stub-kit/call.ts";
import { vectorsOf } from "../../stub-kit/embedding-vector.ts";
import { isJsonObject, type JsonObject, listField, objectField, objectsField } from "../../stub-kit/json-fields.ts";
import { countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import { errorsByStatus, refuse } from "../../stub-kit/refusal.ts";
import { usageField } from "../../stub-kit/report-usage.ts";
import type { RequestRecord } from "../../stub-kit/request-record.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const SERVICE = "hunyuan";
const DIMENSIONS = 1_024;
const SIGNATURE_SECONDS = 300;
const secretKeyOf = (secretId: string): string => `key-of-${secretId}`;

/** Tencent's cloud API, whose errors have status 200, and the OpenAI-compatible one. Source: https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuanStub: Stub = {
  apis: [
    {
      routes: { "POST /": act },
      readKey: verifiedId,
      writeError: errorsByStatus(
        {
          400: "InvalidParameterValue",
          401: "AuthFailure.SignatureFailure",
          403: "UnauthorizedOperation",
          404: "InvalidParameterValue.Model",
          429: "RequestLimitExceeded",
          503: "ResourceUnavailable",
          529: "ResourceUnavailable",
        },
        "InternalError",
        (Code, Message) => ({ Response: { Error: { Code, Message }, RequestId: "fake" } }),
      ),
      errorStatus: 200,
    },
    openAiApi(),
  ],
};

/** Returns the secret id of a validly signed request, else throws RequestRefused. Source: https://cloud.tencent.com/document/api/1729/101842 */
function verifiedId(headers: IncomingHttpHeaders, { bodyText }: Pick<RequestRecord, "bodyText">): string {
  const pattern =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/(\w+)\/tc3_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
  const [, id = "", date = "", service = "", names = "", signature = ""] =
    pattern.exec(headers.authorization ?? "") ?? [];
  if (signature === "") refuse("The Authorization header is invalid.", { status: 401 });
  // The SDK reads the service from the first label of the host, which is a number here.
  if (service !== SERVICE && service !== headers.host?.split(".")[0]) refuse("The service is wrong.", { status: 401 });
  const time = Number(headers["x-tc-timestamp"]);
  if (!(Math.abs(Date.now() / 1_000 - time) < SIGNATURE_SECONDS)) refuse("Signature expired.", { status: 401 });
  if (new Date(time * 1_000).toISOString().slice(0, 10) !== date)
    refuse("The date of the credential is wrong.", { status: 401 });
  const signed = names.split(";");
  if (!signed.includes("content-type") || !signed.includes("host"))
    refuse("content-type and host must be signed.", { status: 401 });
  // The SDK signs the host without its port.
  const valueOf = (name: string) =>
    name === "host" ? String(headers.host).replace(/:\d+$/, "") : String(headers[name]);
  const lines = signed.map((name) => `${name}:${valueOf(name).trim().toLowerCase()}\n`).join("");
  const canonical = `POST\n/\n\n${lines}\n${names}\n${digest(bodyText)}`;
  const text = `TC3-HMAC-SHA256\n${time}\n${date}/${service}/tc3_request\n${digest(canonical)}`;
  const hmac = (key: string | Buffer, part: string) => createHmac("sha256", key).update(part).digest();
  const signingKey = [service, "tc3_request"].reduce(hmac, hmac(`TC3${secretKeyOf(id)}`, date));
  const expected = hmac(signingKey, text);
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex")))
    refuse("The provided credentials could not be validated.", { status: 401 });
  return id;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function act(call: Call): Reply {
  if (call.headers["x-tc-version"] !== "2023-09-01") refuse("The version is not served.");
  switch (call.headers["x-tc-action"]) {
    case "ChatCompletions":
      return chat(call);
    case "GetEmbedding":
      return embed(call);
    default:
      return refuse("The action is not served.");
  }
}

function chat(call: Call): Reply {
  return rewrittenChat(call, openAiBody(call.body), {
    write: tencentAnswer,
    wrap: (Response) => ({ Response }),
    usage: "Usage",
    // Tencent's SDK refuses a content type with a charset.
    framing: { ...EVENTS, contentType: "text/event-stream" },
    hasEnding: false,
  });
}

function openAiBody(body: JsonObject): JsonObject {
  const messages = listField(body, "Messages").map((each) => {
    const message = isJsonObject(each) ? each : refuse("Messages must be objects.");
    const content = objectsField(message, "Contents").map((part) => {
      if (part["Type"] === "text") return { type: "text", text: part["Text"] };
      const url = objectField(part, "ImageUrl")["Url"];
      if (part["Type"] !== "image_url" || !/^(?:https?:|data:image\/\w+;base64,)/.test(String(url)))
        refuse("ImageUrl is invalid.");
      return { type: "image_url", image_url: { url } };
    });
    return { role: message["Role"], content: content.length > 0 ? content : message["Content"] };
  });
  checkTurns(messages.map(({ role }) => role));
  const functions = listField(body, "Tools").map(openAiTool);
  const custom = body["ToolChoice"] === "custom" ? openAiTool(body["CustomTool"]) : undefined;
  return {
    model: body["Model"],
    messages,
    ...(functions.length > 0 && { tools: functions, tool_choice: custom ?? body["ToolChoice"] }),
    stream: body["Stream"],
  };
}

/** A system message may only be first, and roles other than tools must alternate. */
function checkTurns(roles: readonly unknown[]): void {
  for (const [index, role] of roles.entries()) {
    const before = roles[index - 1];
    if (role === "system" && index > 0) refuse("The system message must be the first.");
    if (role === before && role !== "tool") refuse("Roles of messages must take turns.");
  }
}

/** Tencent's parameters are a JSON text. */
function openAiTool(tool: unknown): object {
  const called = isJsonObject(tool) ? tool["Function"] : undefined;
  if (!isJsonObject(called) || typeof called["Parameters"] !== "string") return refuse("Parameters must be a string.");
  const parameters: unknown = JSON.parse(called["Parameters"]);
  return { type: "function", function: { name: called["Name"], parameters } };
}

function tencentAnswer(answer: JsonObject): JsonObject {
  const { id, created, usage } = answer;
  return {
    Note: "Made by a stub.",
    Created: created,
    Id: id,
    Choices: objectsField(answer, "choices").map(tencentChoice),
    ...(isJsonObject(usage) && {
      Usage: {
        PromptTokens: usage["prompt_tokens"],
        CompletionTokens: usage["completion_tokens"],
        TotalTokens: usage["total_tokens"],
      },
    }),
    RequestId: "fake",
  };
}

function tencentChoice(choice: JsonObject): JsonObject {
  const { index, delta, finish_reason: reason } = choice;
  const { content, tool_calls: calls } = objectField(choice, delta === undefined ? "message" : "delta");
  const said = {
    Role: "assistant",
    Content: content ?? "",
    ...(Array.isArray(calls) && { ToolCalls: calls.filter(isJsonObject).map(tencentCall) }),
  };
  return { Index: index, FinishReason: reason ?? "", [delta === undefined ? "Message" : "Delta"]: said };
}

function tencentCall(call: JsonObject): JsonObject {
  const { name, arguments: input } = objectField(call, "function");
  const called = { Name: name ?? "", Arguments: input ?? "" };
  return { Id: call["id"] ?? "", Type: "function", Index: call["index"] ?? 0, Function: called };
}

function embed(call: Call): Reply {
  const { body, behaviour } = call;
  const texts = inputTexts(body["InputList"] ?? body["Input"]);
  if (texts.length === 0 || texts.length > 50) refuse("InputList must hold 1 to 50 texts.");
  const Data = vectorsOf(call, texts, DIMENSIONS).map((Embedding, Index) => ({
    Object: "embedding",
    Index,
    Embedding,
  }));
  const count = countInputTokens(texts);
  const usage = usageField({ PromptTokens: count, TotalTokens: count }, behaviour, "Usage");
  return json({ Response: { Data, ...usage, RequestId: "fake" } });
}
