import { reportUsage } from "../../../stub-kit/report-usage.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { signThought } from "../../../stub-kit/sign-thought.ts";
import { withoutMarkers } from "../../../stub-kit/markers.ts";
import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { countField, isJsonObject, type JsonObject, listField } from "../../../stub-kit/json-fields.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../../stub-kit/refusal.ts";
import type { Call, JsonReply, Reply, StreamEvent } from "../../../stub-kit/call.ts";
import {
  composeAnswer,
  demandedToolCall,
  fillerWord,
  limitAnswer,
  splitArguments,
} from "../../../stub-kit/compose-answer.ts";
import { writeLogprobs, type WantedTokens, wantedByResponses } from "./logprobs.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";

const THOUGHT = "They want an answer.";
const tokensPerItem = 3;
const tokensPerImage = 85;

/** OpenAI refuses all other fields. */
const FIELDS = new Set(
  `background client_metadata conversation include input instructions max_output_tokens max_tool_calls metadata model parallel_tool_calls
  previous_response_id prompt prompt_cache_key reasoning safety_identifier service_tier store stream stream_options temperature text
  tool_choice tools top_logprobs top_p truncation user`.split(/\s+/),
);

interface Item {
  readonly whole: JsonObject;
  readonly tokens: number;
  readonly events: (index: number) => Iterable<Pick<StreamEvent, "part" | "tokens"> & { readonly fields: JsonObject }>;
}

export function responses(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour, id } = call;
  checkRequest(call);
  const { items, isCut } = composeItems(call);
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0) + (behaviour.reasoningTokens ?? 0);
  const usage = usageOf(body, behaviour, tokens);
  const head = {
    id: `resp_${id}${accountOf(call)}`,
    object: "response",
    created_at: 1_715_367_049,
    model,
    error: null,
  };
  const rest = { parallel_tool_calls: true, tools: listField(body, "tools"), metadata: {}, service_tier: "default" };
  const whole = {
    ...head,
    ...rest,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: items.map((item) => item.whole),
    ...(usage && { usage }),
  };
  const toJson = (): JsonReply => ({ kind: "json", body: whole, tokens });
  if (body["stream"] !== true) return toJson();
  const begun = { ...head, ...rest, status: "in_progress", incomplete_details: null, output: [], usage: null };
  return { kind: "stream", events: streamEvents(call, items, begun, whole), toJson };
}

function* streamEvents(
  call: Call,
  items: readonly Item[],
  begun: JsonObject,
  whole: JsonObject,
): Generator<StreamEvent> {
  let sequence = 0;
  const event = (fields: JsonObject, part: StreamEvent["part"], tokens = 0): StreamEvent => {
    const { type } = fields;
    const data = JSON.stringify({ ...fields, sequence_number: sequence });
    sequence += 1;
    return { name: String(type), data, part, tokens };
  };
  yield event({ type: "response.created", response: begun }, "opening");
  yield event({ type: "response.in_progress", response: begun }, "opening");
  for (const [index, item] of items.entries()) {
    for (const { fields, part, tokens } of item.events(index)) yield event(fields, part, tokens);
  }
  if (call.behaviour.kind === "endless") {
    const { chunkBytes } = call.behaviour;
    for (let position = 0; ; position += 1) {
      const delta = chunkBytes === undefined ? fillerWord(position, call.settings.seed) : " ".padEnd(chunkBytes, "x");
      yield event(
        { type: "response.output_text.delta", item_id: "msg", output_index: 0, content_index: 0, delta },
        "piece",
        1,
      );
    }
  }
  const type = whole["status"] === "incomplete" ? "response.incomplete" : "response.completed";
  const isHidden = call.behaviour.kind === "malformed" && call.behaviour.fault === "no-finish-reason";
  if (!isHidden) yield event({ type, response: whole }, "finish");
}

/** Throws RequestRefused (400) like OpenAI. */
function checkRequest(call: Call): void {
  const { body } = call;
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) refuse(`Unknown parameter: '${unknown}'.`, unknown, "unknown_parameter");
  const earlier = body["previous_response_id"];
  if (typeof earlier === "string" && !earlier.endsWith(accountOf(call))) {
    refuse(`Previous response with id '${earlier}' not found.`, "previous_response_id", "previous_response_not_found");
  }
  const calls = new Set<unknown>();
  for (const [index, item] of listField(body, "input").filter(isJsonObject).entries()) {
    const type = item["type"] ?? "message";
    if (type === "function_call" || type === "custom_tool_call") calls.add(item["call_id"]);
    if (type === "function_call_output" && !calls.has(item["call_id"]) && earlier === undefined) {
      refuse(`No tool call found for function call output with call_id ${String(item["call_id"])}.`, "input");
    }
    const encrypted = item["encrypted_content"];
    if (type === "reasoning" && typeof encrypted === "string" && encrypted !== signThought(THOUGHT)) {
      refuse("The encrypted content could not be verified.", `input[${index}]`, "invalid_encrypted_content");
    }
    if (type === "message") checkParts(item, index);
  }
}

function checkParts(item: JsonObject, index: number): void {
  const types =
    item["role"] === "assistant"
      ? ["output_text", "refusal"]
      : ["input_text", "input_image", "input_file", "input_audio"];
  for (const part of listField(item, "content").filter(isJsonObject)) {
    if (types.includes(String(part["type"]))) continue;
    refuse(`Invalid value: '${String(part["type"])}'.`, `input[${index}].content[0]`, "invalid_value");
  }
}

function refuse(message: string, param: string, code = "invalid_request_error"): never {
  throw new RequestRefused(400, openAiErrorBody(message, { param, code }));
}

/** Suffix of ids of responses that the account stores. */
function accountOf({ headers }: Call): string {
  return signThought(bearerKey(headers.authorization) ?? "")
    .replace(/[^a-z0-9]/gi, "")
    .slice(0, 12);
}

function composeItems(call: Call): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const { body, behaviour, settings, id } = call;
  const said = lastText(body);
  const limit = countField(body, "max_output_tokens", 1);
  const reasoning = body["reasoning"];
  const thinks = isJsonObject(reasoning) && typeof reasoning["summary"] === "string";
  const thoughts = thinks ? [thought(id)] : [];
  const tool = demandedToolCall(asChat(body), withoutMarkers(said), id, behaviour);
  if (tool !== undefined) {
    const { pieces, finishReason } = limitAnswer(splitArguments(tool.arguments), "tool_calls", limit, behaviour);
    return { items: [...thoughts, callItem(id, tool.id, tool.name, pieces)], isCut: finishReason === "length" };
  }
  const { pieces, finishReason } = composeAnswer(said, limit, behaviour, settings.seed);
  return { items: [...thoughts, messageItem(id, pieces, wantedByResponses(body))], isCut: finishReason === "length" };
}

function thought(id: string): Item {
  const part = { type: "summary_text", text: THOUGHT };
  const whole = { id: `rs_${id}`, type: "reasoning", summary: [part], encrypted_content: signThought(THOUGHT) };
  return {
    whole,
    tokens: countWords(THOUGHT),
    *events(output_index) {
      const place = { item_id: whole.id, output_index, summary_index: 0 };
      const at = (fields: JsonObject) => ({ fields, part: "opening" as const, tokens: 0 });
      yield at({ type: "response.output_item.added", output_index, item: { ...whole, summary: [] } });
      yield at({ type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } });
      yield at({ type: "response.reasoning_summary_text.delta", ...place, delta: THOUGHT });
      yield at({ type: "response.reasoning_summary_text.done", ...place, text: THOUGHT });
      yield at({ type: "response.reasoning_summary_part.done", ...place, part });
      yield at({ type: "response.output_item.done", output_index, item: whole });
    },
  };
}

function messageItem(id: string, pieces: readonly string[], wanted: WantedTokens): Item {
  const text = pieces.join("");
  const write = (told: readonly string[]) => writeLogprobs(told, wanted) ?? [];
  const logprobs = write(pieces);
  const part = { type: "output_text", text, annotations: [], logprobs };
  const whole = { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content: [part] };
  return {
    whole,
    tokens: pieces.length,
    *events(output_index) {
      const place = { item_id: whole.id, output_index, content_index: 0 };
      const around = (fields: JsonObject, of: StreamEvent["part"]) => ({ fields, part: of, tokens: 0 });
      const begun = { ...whole, status: "in_progress", content: [] };
      yield around({ type: "response.output_item.added", output_index, item: begun }, "opening");
      yield around(
        { type: "response.content_part.added", ...place, part: { ...part, text: "", logprobs: [] } },
        "opening",
      );
      for (const delta of pieces) {
        yield {
          fields: { type: "response.output_text.delta", ...place, delta, logprobs: write([delta]) },
          part: "piece",
          tokens: 1,
        };
      }
      yield around({ type: "response.output_text.done", ...place, text, logprobs }, "finish");
      yield around({ type: "response.content_part.done", ...place, part }, "finish");
      yield around({ type: "response.output_item.done", output_index, item: whole }, "finish");
    },
  };
}

function callItem(id: string, call_id: string, name: string, pieces: readonly string[]): Item {
  const whole = {
    id: `fc_${id}`,
    type: "function_call",
    status: "completed",
    call_id,
    name,
    arguments: pieces.join(""),
  };
  return {
    whole,
    tokens: pieces.length,
    *events(output_index) {
      const place = { item_id: whole.id, output_index };
      const begun = { ...whole, status: "in_progress", arguments: "" };
      yield { fields: { type: "response.output_item.added", output_index, item: begun }, part: "opening", tokens: 0 };
      for (const delta of pieces) {
        yield { fields: { type: "response.function_call_arguments.delta", ...place, delta }, part: "piece", tokens: 1 };
      }
      const done = { type: "response.function_call_arguments.done", ...place, arguments: whole.arguments };
      yield { fields: done, part: "finish", tokens: 0 };
      yield { fields: { type: "response.output_item.done", output_index, item: whole }, part: "finish", tokens: 0 };
    },
  };
}

function asChat(body: JsonObject): JsonObject {
  const choice = body["tool_choice"];
  const tools = listField(body, "tools").filter(isJsonObject);
  return {
    tools: tools.map(({ name, parameters }) => ({ function: { name, parameters } })),
    tool_choice: isJsonObject(choice) ? { function: { name: choice["name"] } } : choice,
  };
}

function lastText(body: JsonObject): string {
  if (typeof body["input"] === "string") return body["input"];
  const items = listField(body, "input").filter(isJsonObject);
  const last = items.findLast((item) => item["role"] === "user" || item["type"] === "function_call_output");
  return last === undefined ? "" : contentText(last["content"] ?? last["output"]);
}

function usageOf(body: JsonObject, behaviour: Behaviour, output: number): JsonObject | undefined {
  const input = countInput(body);
  const counted = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: Math.min(behaviour.cachedTokens ?? 0, input) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: behaviour.reasoningTokens ?? 0 },
    total_tokens: input + output,
  };
  return reportUsage(counted, behaviour);
}

/** One for each word, 3 for each item and 85 for each image. */
function countInput(body: JsonObject): number {
  const system = typeof body["instructions"] === "string" ? countWords(body["instructions"]) : 0;
  if (typeof body["input"] === "string") return system + tokensPerItem + countWords(body["input"]);
  return listField(body, "input")
    .filter(isJsonObject)
    .reduce((sum, item) => {
      const images = listField(item, "content").filter((part) => isJsonObject(part) && part["type"] === "input_image");
      return sum + tokensPerItem + countWords(contentText(item["content"])) + images.length * tokensPerImage;
    }, system);
}
