import type { AnswerEnvelope } from "../../format-sides.ts";
import type { ChatAnswer, Finish } from "../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import { type MessagePart, shownText } from "../../neutral/message-part.ts";
import { makeId } from "../../neutral/answer-ids.ts";
import { sealThoughts, type Thought } from "../../neutral/sealed-thoughts.ts";
import { isLooseSignature, isProof, signatureOf } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { readUsage as readReport } from "../openai/read-usage.ts";
import { atTier, type NamedTier } from "../openai/service-tier.ts";
import { readTokens, writeTokens } from "../openai/logprobs.ts";
import { readPart, readThought } from "./read-items.ts";
import { CallersTools } from "./read-tools.ts";
import { feesOfTools } from "./tool-fees.ts";

/**
 * Usage of an answer with the fees of its server tools; undefined if it has neither. `earlier`: the tier named by
 * earlier events.
 */
export function readUsage(answer: unknown, earlier?: NamedTier): Usage | undefined {
  const usage = atTier(readReport(answer), answer, earlier);
  const ofItems = feesOfTools(recordOf(answer));
  if (usage === undefined) return ofItems === 0 ? undefined : { ...NO_USAGE, ...earlier, toolFees: ofItems };
  // A provider that reports tool use has other prices than OpenAI.
  return ofItems === 0 || usage.toolFees > 0 ? usage : { ...usage, toolFees: ofItems };
}

/** Source: https://platform.openai.com/docs/api-reference/responses/object */
export function readAnswer(answer: JsonRecord): ChatAnswer {
  const items = listOf(answer.output).filter(isRecord);
  const parts = items.flatMap(readItem);
  const said = items.flatMap(({ content }) => listOf(content).map(recordOf));
  const logprobs = readTokens(said.flatMap((part) => listOf(part.logprobs)));
  return {
    id: textOf(answer.id),
    model: textOf(answer.model),
    choices: [{ parts, finish: readFinish(answer, parts.some(isCall)), ...(logprobs !== undefined && { logprobs }) }],
    usage: readUsage(answer),
  };
}

function isCall(part: MessagePart): boolean {
  return part.type === "tool-call";
}

function readItem(item: JsonRecord): readonly MessagePart[] {
  switch (item.type) {
    case "message":
      return listOf(item.content).filter(isRecord).map(readPart);
    case "function_call":
      return [{ type: "tool-call", id: textOf(item.call_id), name: textOf(item.name), input: textOf(item.arguments) }];
    case "reasoning":
      return readThought(item);
    default:
      return [];
  }
}

export function readFinish(answer: JsonRecord, hasCalls: boolean): Finish {
  const { reason } = recordOf(answer.incomplete_details);
  if (answer.status === "incomplete") {
    return { reason: reason === "content_filter" ? "refusal" : "length", stopSequence: "" };
  }
  return { reason: hasCalls ? "tool-calls" : "stop", stopSequence: "" };
}

export function writeAnswer(answer: ChatAnswer, envelope: AnswerEnvelope): JsonRecord {
  const [choice = { parts: [], finish: { reason: "stop", stopSequence: "" } } as const] = answer.choices;
  const { parts, finish } = choice;
  const id = writeId(answer.id);
  const items = new OutputItems(envelope.request);
  const output = parts.flatMap((part, index) => {
    const isNeeded = parts[index + 1]?.type === "tool-call" || wantsEncrypted(envelope.request);
    return isLooseSignature(part) && !isNeeded ? [] : items.write(part);
  });
  return {
    ...responseOf(id, answer.model, envelope),
    ...writeFinish(finish, envelope.created),
    output: joinMessages(withTokens(output, choice.logprobs)),
    usage: answer.usage === undefined ? null : writeUsage(answer.usage),
  };
}

export const ENCRYPTED = "reasoning.encrypted_content";

export function wantsEncrypted({ include }: JsonRecord): boolean {
  return listOf(include).includes(ENCRYPTED);
}

/** Adds the log probabilities of all texts to the first text item. */
function withTokens(items: readonly JsonRecord[], tokens: readonly WrittenToken[] | undefined): readonly JsonRecord[] {
  if (tokens === undefined) return items;
  const at = items.findIndex(({ content }) => recordOf(listOf(content)[0]).type === "output_text");
  return items.map((item, index) => {
    if (index !== at) return item;
    return {
      ...item,
      content: listOf(item.content).map((part) => ({ ...recordOf(part), logprobs: writeTokens(tokens) })),
    };
  });
}

function joinMessages(items: readonly JsonRecord[]): readonly JsonRecord[] {
  const joined: JsonRecord[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (item.type !== "message" || last?.type !== "message") joined.push(item);
    else joined[joined.length - 1] = { ...last, content: [...listOf(last.content), ...listOf(item.content)] };
  }
  return joined;
}

export function writeId(id: string): string {
  return id.startsWith("resp_") ? id : `resp_${id}`;
}

export class OutputItems {
  /** A provider may repeat the id of its answer, so items have a random one. */
  readonly #base = makeId();
  readonly #tools: CallersTools;
  readonly #wantsEncrypted: boolean;
  #count = 0;

  constructor(request: JsonRecord) {
    this.#tools = new CallersTools(request);
    this.#wantsEncrypted = wantsEncrypted(request);
  }

  write(part: MessagePart): readonly JsonRecord[] {
    switch (part.type) {
      case "text":
      case "image":
        return [this.message({ type: "output_text", annotations: [], logprobs: [], text: shownText(part) ?? "" })];
      case "refusal":
        return [this.message({ type: "refusal", refusal: part.text })];
      case "tool-call":
        return [this.call(part.id, part.name, part.input)];
      case "reasoning":
        return [this.thought(part.text, this.encrypted(part))];
      case "hidden-reasoning":
        return [this.thought("", this.encrypted(part))];
      default:
        return [];
    }
  }

  message(part: JsonRecord): JsonRecord {
    return { id: this.nextId("msg"), type: "message", status: "completed", role: "assistant", content: [part] };
  }

  /** A custom tool receives its text argument only. */
  call(callId: string, name: string, input: string): JsonRecord {
    const called = { call_id: callId, ...this.#tools.nameOf(name) };
    if (this.takesText(name)) {
      const known = { id: this.nextId("ctc"), type: "custom_tool_call", status: "completed" };
      return { ...known, ...called, input: textInput(input) };
    }
    const known = { id: this.nextId("fc"), type: "function_call", status: "completed" };
    return { ...known, arguments: input || "{}", ...called };
  }

  thought(text: string, encrypted: string): JsonRecord {
    const summary = text === "" ? [] : [{ type: "summary_text", text }];
    return {
      id: this.nextId("rs"),
      type: "reasoning",
      summary,
      ...(encrypted !== "" && { encrypted_content: encrypted }),
    };
  }

  /**
   * Encrypted content of a thought. All but OpenAI's own are sealed with their text, because clients may return
   * nothing else. Empty for an unsigned thought that was not requested.
   */
  encrypted(thought: Thought): string {
    const signature = thought.type === "reasoning" ? thought.signature : thought.data;
    if (!isProof(signature) && !this.#wantsEncrypted) return "";
    return signatureOf("openai", signature) ?? sealThoughts([thought]);
  }

  takesText(name: string): boolean {
    return this.#tools.takesText(name);
  }

  nextId(kind: string): string {
    this.#count += 1;
    return `${kind}_${this.#base}_${this.#count}`;
  }
}

/** The only argument of a custom tool; the raw input if it is no such object. */
export function textInput(input: string): string {
  const { input: text } = recordOf(parseJson(input));
  return typeof text === "string" ? text : input;
}

export function writeFinish({ reason }: Finish, completedAt: number): JsonRecord {
  if (reason === "failed") {
    const error = {
      code: "server_error",
      message: "The model broke off, or what it wrote could not be used. Ask again.",
    };
    return { status: "failed", completed_at: null, error, incomplete_details: null };
  }
  const why =
    reason === "length" || reason === "context" ? "max_output_tokens" : reason === "refusal" ? "content_filter" : "";
  if (why !== "") return { status: "incomplete", completed_at: null, incomplete_details: { reason: why } };
  return { status: "completed", completed_at: completedAt, incomplete_details: null };
}

export function writeUsage(usage: Usage): JsonRecord {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens + usage.cachedAudioTokens,
      cache_write_tokens: usage.cacheWriteTokens + usage.longCacheWriteTokens,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

/** A new response. Repeats the caller's request, with `store` off. */
export function responseOf(id: string, model: string, { created, request }: AnswerEnvelope): JsonRecord {
  const { effort = null, summary = null } = recordOf(request.reasoning);
  return {
    id,
    object: "response",
    created_at: created,
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort, summary },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: "default",
    store: false,
    temperature: request.temperature ?? 1,
    text: { format: { type: "text" }, ...recordOf(request.text) },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools ?? [],
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? "disabled",
    usage: null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
  };
}
