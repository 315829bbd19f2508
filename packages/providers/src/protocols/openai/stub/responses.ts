import { type Call, json, type Reply, type StreamEvent, streamEvent, streamOrJson } from "../../../stub-kit/call.ts";
import { composeReply, endlessPieces, hidesFinish } from "../../../stub-kit/compose-answer.ts";
import {
  countField,
  isJsonObject,
  type JsonObject,
  listField,
  objectField,
  objectsField,
} from "../../../stub-kit/json-fields.ts";
import { contentText, countPromptTokens, countWords } from "../../../stub-kit/prompt.ts";
import { readModel } from "../../../stub-kit/read-model.ts";
import { bearerKey, refuse } from "../../../stub-kit/refusal.ts";
import { cachedOf, reportUsage } from "../../../stub-kit/report-usage.ts";
import { signThought, THOUGHT } from "../../../stub-kit/thought.ts";
import { wantedByResponses, type WantedTokens, writeLogprobs } from "./logprobs.ts";

/** OpenAI refuses all other fields. */
const FIELDS = new Set(
  `background client_metadata conversation include input instructions max_output_tokens max_tool_calls metadata model parallel_tool_calls
  previous_response_id prompt prompt_cache_key reasoning safety_identifier service_tier store stream stream_options temperature text
  tool_choice tools top_logprobs top_p truncation user`.split(/\s+/),
);

type ItemEvent = readonly [part: StreamEvent["part"], type: string, fields: JsonObject];

interface Item {
  readonly whole: JsonObject;
  readonly tokens: number;
  readonly events: (index: number) => readonly ItemEvent[];
}

export function responses(call: Call): Reply {
  const model = readModel(call);
  const { body, behaviour, id } = call;
  checkRequest(call);
  const { items, isCut } = composeItems(call);
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0) + (behaviour.reasoningTokens ?? 0);
  const usage = reportUsage(countedUsage(call, tokens), behaviour);
  const head = {
    id: `resp_${id}${accountOf(call)}`,
    object: "response",
    created_at: 1_715_367_049,
    model,
    error: null,
    parallel_tool_calls: true,
    tools: listField(body, "tools"),
    metadata: {},
    service_tier: "default",
  };
  const whole = {
    ...head,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output: items.map((item) => item.whole),
    ...(usage && { usage }),
  };
  const begun = { ...head, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const events = streamEvents(call, items, begun, whole);
  return streamOrJson(body["stream"] === true, () => json(whole, tokens), { events });
}

function* streamEvents(
  { behaviour, settings }: Call,
  items: readonly Item[],
  begun: JsonObject,
  whole: JsonObject,
): Generator<StreamEvent> {
  let sequence = 0;
  const event = ([part, type, fields]: ItemEvent) =>
    streamEvent(part, { type, ...fields, sequence_number: sequence++ }, { name: type });
  yield event(["opening", "response.created", { response: begun }]);
  yield event(["opening", "response.in_progress", { response: begun }]);
  for (const [index, item] of items.entries()) yield* item.events(index).map(event);
  if (behaviour.kind === "endless") {
    const place = { item_id: "msg", output_index: 0, content_index: 0 };
    for (const delta of endlessPieces(behaviour.chunkBytes, settings.seed))
      yield event(["piece", "response.output_text.delta", { ...place, delta }]);
  }
  const type = whole["status"] === "incomplete" ? "response.incomplete" : "response.completed";
  if (!hidesFinish(behaviour)) yield event(["finish", type, { response: whole }]);
}

function checkRequest(call: Call): void {
  const { body } = call;
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) refuse(`Unknown parameter: '${unknown}'.`, { param: unknown, code: "unknown_parameter" });
  const earlier = body["previous_response_id"];
  if (typeof earlier === "string" && !earlier.endsWith(accountOf(call))) {
    const details = { param: "previous_response_id", code: "previous_response_not_found" };
    refuse(`Previous response with id '${earlier}' not found.`, details);
  }
  const calls = new Set<unknown>();
  for (const [index, item] of objectsField(body, "input").entries()) {
    const type = item["type"] ?? "message";
    if (type === "function_call" || type === "custom_tool_call") calls.add(item["call_id"]);
    if (type === "function_call_output" && !calls.has(item["call_id"]) && earlier === undefined) {
      const message = `No tool call found for function call output with call_id ${String(item["call_id"])}.`;
      refuse(message, { param: "input", code: "invalid_request_error" });
    }
    const encrypted = item["encrypted_content"];
    if (type === "reasoning" && typeof encrypted === "string" && encrypted !== signThought(THOUGHT)) {
      const details = { param: `input[${index}]`, code: "invalid_encrypted_content" };
      refuse("The encrypted content could not be verified.", details);
    }
    if (type === "message") checkParts(item, index);
  }
}

function checkParts(item: JsonObject, index: number): void {
  const types = item["role"] === "assistant" ? "output_text refusal" : "input_text input_image input_file input_audio";
  const odd = objectsField(item, "content").find(({ type }) => !types.split(" ").includes(String(type)));
  if (odd === undefined) return;
  const details = { param: `input[${index}].content[0]`, code: "invalid_value" };
  refuse(`Invalid value: '${String(odd["type"])}'.`, details);
}

function accountOf({ headers }: Call): string {
  return signThought(bearerKey(headers.authorization) ?? "")
    .replace(/[^a-z0-9]/gi, "")
    .slice(0, 12);
}

function composeItems(call: Call): { readonly items: readonly Item[]; readonly isCut: boolean } {
  const { body, id } = call;
  const thoughts = typeof objectField(body, "reasoning")["summary"] === "string" ? [thought(id)] : [];
  const limit = countField(body, "max_output_tokens", 1);
  const { toolCall, pieces, finishReason } = composeReply(call, lastText(body), asChat(body), limit);
  const item =
    toolCall === undefined
      ? messageItem(id, pieces, wantedByResponses(body))
      : callItem(id, { call_id: toolCall.id, name: toolCall.name }, pieces);
  return { items: [...thoughts, item], isCut: finishReason === "length" };
}

function thought(id: string): Item {
  const part = { type: "summary_text", text: THOUGHT };
  const whole = { id: `rs_${id}`, type: "reasoning", summary: [part], encrypted_content: signThought(THOUGHT) };
  return {
    whole,
    tokens: countWords(THOUGHT),
    events(output_index) {
      const place = { item_id: whole.id, output_index, summary_index: 0 };
      return [
        ["opening", "response.output_item.added", { output_index, item: { ...whole, summary: [] } }],
        ["opening", "response.reasoning_summary_part.added", { ...place, part: { ...part, text: "" } }],
        ["opening", "response.reasoning_summary_text.delta", { ...place, delta: THOUGHT }],
        ["opening", "response.reasoning_summary_text.done", { ...place, text: THOUGHT }],
        ["opening", "response.reasoning_summary_part.done", { ...place, part }],
        ["opening", "response.output_item.done", { output_index, item: whole }],
      ];
    },
  };
}

function messageItem(id: string, pieces: readonly string[], wanted: WantedTokens): Item {
  const text = pieces.join("");
  const write = (said: readonly string[]) => writeLogprobs(said, wanted) ?? [];
  const logprobs = write(pieces);
  const part = { type: "output_text", text, annotations: [], logprobs };
  const whole = { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content: [part] };
  const begun = { ...whole, status: "in_progress", content: [] };
  const delta = "response.output_text.delta";
  return {
    whole,
    tokens: pieces.length,
    events(output_index) {
      const place = { item_id: whole.id, output_index, content_index: 0 };
      return [
        ["opening", "response.output_item.added", { output_index, item: begun }],
        ["opening", "response.content_part.added", { ...place, part: { ...part, text: "", logprobs: [] } }],
        ...pieces.map((said): ItemEvent => ["piece", delta, { ...place, delta: said, logprobs: write([said]) }]),
        ["finish", "response.output_text.done", { ...place, text, logprobs }],
        ["finish", "response.content_part.done", { ...place, part }],
        ["finish", "response.output_item.done", { output_index, item: whole }],
      ];
    },
  };
}

function callItem(id: string, named: JsonObject, pieces: readonly string[]): Item {
  const input = pieces.join("");
  const whole = { id: `fc_${id}`, type: "function_call", status: "completed", ...named, arguments: input };
  const begun = { ...whole, status: "in_progress", arguments: "" };
  return {
    whole,
    tokens: pieces.length,
    events(output_index) {
      const place = { item_id: whole.id, output_index };
      return [
        ["opening", "response.output_item.added", { output_index, item: begun }],
        ...pieces.map((delta): ItemEvent => ["piece", "response.function_call_arguments.delta", { ...place, delta }]),
        ["finish", "response.function_call_arguments.done", { ...place, arguments: input }],
        ["finish", "response.output_item.done", { output_index, item: whole }],
      ];
    },
  };
}

function asChat(body: JsonObject): JsonObject {
  const choice = body["tool_choice"];
  const tools = objectsField(body, "tools");
  return {
    tools: tools.map(({ name, parameters }) => ({ function: { name, parameters } })),
    tool_choice: isJsonObject(choice) ? { function: { name: choice["name"] } } : choice,
  };
}

function lastText(body: JsonObject): string {
  if (typeof body["input"] === "string") return body["input"];
  const last = objectsField(body, "input").findLast(
    ({ role, type }) => role === "user" || type === "function_call_output",
  );
  return last === undefined ? "" : contentText(last["content"] ?? last["output"]);
}

function countedUsage({ body, behaviour }: Call, output: number): JsonObject {
  const items = objectsField(body, "input");
  const contents = typeof body["input"] === "string" ? [body["input"]] : items.map(({ content }) => content);
  const input = countPromptTokens([body["instructions"], ...contents], contents.length);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedOf(input, behaviour) },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: behaviour.reasoningTokens ?? 0 },
    total_tokens: input + output,
  };
}
