import { reportUsage } from "../../stub-kit/report-usage.ts";
import { embeddingVector } from "../../stub-kit/embedding-vector.ts";
import type { RequestRecord } from "../../stub-kit/request-record.ts";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, type JsonObject, listField } from "../../stub-kit/json-fields.ts";
import { openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import { type Call, EVENTS, type JsonReply, type Reply, type StreamEvent } from "../../stub-kit/call.ts";
import { chatCompletions } from "../../protocols/openai/stub/completions.ts";
import { countInputTokens, inputTexts } from "../../stub-kit/prompt.ts";
import type { Stub } from "../../stub-kit/stub.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";

const SERVICE = "hunyuan";
const DIMENSIONS = 1_024;
const SIGNATURE_SECONDS = 300;
const secretKeyOf = (secretId: string): string => `key-of-${secretId}`;

const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  400: "InvalidParameterValue",
  401: "AuthFailure.SignatureFailure",
  403: "UnauthorizedOperation",
  404: "InvalidParameterValue.Model",
  429: "RequestLimitExceeded",
  503: "ResourceUnavailable",
  529: "ResourceUnavailable",
};

/** Tencent's cloud API, whose errors have status 200, and the OpenAI-compatible one. Source: https://cloud.tencent.com/document/api/1729/105701 */
export const hunyuanStub: Stub = {
  apis: [
    {
      routes: { "POST /": act },
      readKey: verifiedId,
      writeError: (status, { error }) => ({
        Response: {
          Error: { Code: CODE_OF_STATUS[status] ?? "InternalError", Message: error.message },
          RequestId: "fake",
        },
      }),
      errorStatus: 200,
    },
    openAiApi(),
  ],
};

function refuse(status: number, text: string): never {
  throw new RequestRefused(status, openAiErrorBody(text));
}

/** Returns the secret id of a validly signed request, else throws RequestRefused. Source: https://cloud.tencent.com/document/api/1729/101842 */
function verifiedId(headers: IncomingHttpHeaders, { bodyText }: Pick<RequestRecord, "bodyText">): string {
  const pattern =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/(\w+)\/tc3_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
  const [, id = "", date = "", service = "", names = "", signature = ""] =
    pattern.exec(headers.authorization ?? "") ?? [];
  if (signature === "") refuse(401, "The Authorization header is invalid.");
  // The SDK reads the service from the first label of the host, which is a number here.
  if (service !== SERVICE && service !== headers.host?.split(".")[0]) refuse(401, "The service is wrong.");
  const time = Number(headers["x-tc-timestamp"]);
  if (!(Math.abs(Date.now() / 1_000 - time) < SIGNATURE_SECONDS)) refuse(401, "Signature expired.");
  if (new Date(time * 1_000).toISOString().slice(0, 10) !== date) refuse(401, "The date of the credential is wrong.");
  const signed = names.split(";");
  if (!signed.includes("content-type") || !signed.includes("host"))
    refuse(401, "content-type and host must be signed.");
  // The SDK signs the host without its port.
  const valueOf = (name: string) =>
    name === "host" ? String(headers.host).replace(/:\d+$/, "") : String(headers[name]);
  const lines = signed.map((name) => `${name}:${valueOf(name).trim().toLowerCase()}\n`).join("");
  const canonical = `POST\n/\n\n${lines}\n${names}\n${digest(bodyText)}`;
  const text = `TC3-HMAC-SHA256\n${time}\n${date}/${service}/tc3_request\n${digest(canonical)}`;
  const dateKey = createHmac("sha256", `TC3${secretKeyOf(id)}`)
    .update(date)
    .digest();
  const serviceKey = createHmac("sha256", dateKey).update(service).digest();
  const signingKey = createHmac("sha256", serviceKey).update("tc3_request").digest();
  const expected = createHmac("sha256", signingKey).update(text).digest();
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex")))
    refuse(401, "The provided credentials could not be validated.");
  return id;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function act(call: Call): Reply {
  if (call.headers["x-tc-version"] !== "2023-09-01") refuse(400, "The version is not served.");
  switch (call.headers["x-tc-action"]) {
    case "ChatCompletions":
      return chat(call);
    case "GetEmbedding":
      return embed(call);
    default:
      return refuse(400, "The action is not served.");
  }
}

function chat(call: Call): Reply {
  const { body } = call;
  const asked = { ...openAiBody(body), stream_options: { include_usage: true } };
  const reply = chatCompletions({ ...call, body: asked });
  const wrapped = ({ body: answer, ...rest }: JsonReply): JsonReply => ({
    ...rest,
    body: { Response: tencentAnswer(answer) },
  });
  if (reply.kind === "json") return wrapped(reply);
  if (reply.kind === "bytes") return reply;
  // Tencent's SDK refuses a content type with a charset.
  const framing = { ...EVENTS, contentType: "text/event-stream" };
  return { kind: "stream", framing, events: tencentEvents(reply.events), toJson: () => wrapped(reply.toJson()) };
}

/** The usage is in the last piece. */
function* tencentEvents(events: Iterable<StreamEvent>): Generator<StreamEvent> {
  let last: StreamEvent | undefined;
  let answer: JsonObject = {};
  for (const event of events) {
    const parsed: unknown = JSON.parse(event.data);
    if (event.part === "usage") {
      answer = { ...answer, Usage: tencentAnswer(parsed)["Usage"] };
      continue;
    }
    answer = tencentAnswer(parsed);
    if (event.part === "finish") last = event;
    else yield { ...event, data: JSON.stringify(answer) };
  }
  if (last !== undefined) yield { ...last, data: JSON.stringify(answer) };
}

function openAiBody(body: JsonObject): JsonObject {
  const messages = listField(body, "Messages").map((each) => {
    const message = isJsonObject(each) ? each : refuse(400, "Messages must be objects.");
    const parts = listField(message, "Contents").filter(isJsonObject);
    const content = parts.map(({ Type, Text, ImageUrl }) => {
      if (Type === "text") return { type: "text", text: Text };
      const url = isJsonObject(ImageUrl) ? ImageUrl["Url"] : undefined;
      if (Type !== "image_url" || !/^(?:https?:|data:image\/\w+;base64,)/.test(String(url)))
        refuse(400, "ImageUrl is invalid.");
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
    if (role === "system" && index > 0) refuse(400, "The system message must be the first.");
    if (role === before && role !== "tool") refuse(400, "Roles of messages must take turns.");
  }
}

/** Tencent's parameters are a JSON text. */
function openAiTool(tool: unknown): object {
  const called = isJsonObject(tool) ? tool["Function"] : undefined;
  if (!isJsonObject(called) || typeof called["Parameters"] !== "string")
    return refuse(400, "Parameters must be a string.");
  const parameters: unknown = JSON.parse(called["Parameters"]);
  return { type: "function", function: { name: called["Name"], parameters } };
}

function tencentAnswer(answer: unknown): JsonObject {
  if (!isJsonObject(answer)) return {};
  const { id, created, usage } = answer;
  return {
    Note: "Made by a stub.",
    Created: created,
    Id: id,
    Choices: listField(answer, "choices").filter(isJsonObject).map(tencentChoice),
    ...(isJsonObject(usage) && { Usage: tencentUsage(usage) }),
    RequestId: "fake",
  };
}

function tencentChoice({ index, delta, message, finish_reason: reason }: JsonObject): JsonObject {
  const said = delta ?? message;
  const { content, tool_calls: calls } = isJsonObject(said) ? said : {};
  const named = {
    Role: "assistant",
    Content: content ?? "",
    ...(Array.isArray(calls) && { ToolCalls: calls.map(tencentCall) }),
  };
  return { Index: index, FinishReason: reason ?? "", [delta === undefined ? "Message" : "Delta"]: named };
}

function tencentCall(call: unknown): JsonObject {
  const { id, index, function: called } = isJsonObject(call) ? call : {};
  const { name, arguments: input } = isJsonObject(called) ? called : {};
  return { Id: id ?? "", Type: "function", Index: index ?? 0, Function: { Name: name ?? "", Arguments: input ?? "" } };
}

function tencentUsage({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): JsonObject {
  return { PromptTokens: prompt_tokens, CompletionTokens: completion_tokens, TotalTokens: total_tokens };
}

function embed({ body, behaviour, settings }: Call): Reply {
  const texts = inputTexts(body["InputList"] ?? body["Input"]);
  if (texts.length === 0 || texts.length > 50) refuse(400, "InputList must hold 1 to 50 texts.");
  const Data = texts.map((text, Index) => ({
    Object: "embedding",
    Index,
    Embedding: Array.from(embeddingVector(text, DIMENSIONS, settings.seed)),
  }));
  const count = countInputTokens(texts);
  const Usage = reportUsage({ PromptTokens: count, TotalTokens: count }, behaviour);
  return { kind: "json", body: { Response: { Data, ...(Usage && { Usage }), RequestId: "fake" } }, tokens: 0 };
}
