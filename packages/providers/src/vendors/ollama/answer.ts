import type { StreamDecoder } from "../../format-sides.ts";
import { type ChatAnswer, type ChatEvent, type Finish, withLogprobs } from "../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import type { MessagePart, ToolCallPart } from "../../neutral/message-part.ts";
import { parseExactFields } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { readTokens } from "../../protocols/openai/logprobs.ts";
import { carriesError, readStreamError } from "../../protocols/read-error.ts";

export const EXACT_FIELDS: ReadonlySet<string> = new Set(["arguments"]);

/** Reads the usage in the last line of an answer; undefined, so that the gateway counts, where Ollama reports none. */
export function readUsage(answer: unknown): Usage | undefined {
  const { prompt_eval_count: prompt, eval_count: completion } = recordOf(answer);
  const [promptTokens, completionTokens] = [numberOf(prompt), numberOf(completion)];
  // Ollama omits the prompt's count where its cache had all of it.
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return { ...NO_USAGE, promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 };
}

/** Reads tool calls; older servers give them no ids. */
function readCalls(message: JsonRecord): readonly ToolCallPart[] {
  return listOf(message.tool_calls)
    .map(recordOf)
    .map(({ id, function: called }) => {
      const { name, arguments: input } = recordOf(called);
      return { type: "tool-call", id: textOf(id), name: textOf(name), input: JSON.stringify(input ?? {}) };
    });
}

/** Ollama has no finish reason for calls; they end like a text. */
function readFinish(reason: unknown, hasCalls: boolean): Finish {
  const known = hasCalls ? "tool-calls" : reason === "length" ? "length" : "stop";
  return { reason: known, stopSequence: "" };
}

/** Returns the log probabilities of the text. The list begins with tokens of thoughts and calls, so the text's are the last that make it up. */
function readLogprobs(answer: JsonRecord, text: string): readonly WrittenToken[] | undefined {
  const tokens = readTokens(answer.logprobs);
  if (tokens === undefined || text === "") return undefined;
  let rest = text.length;
  const at = tokens.findLastIndex(({ token }) => {
    rest -= token.length;
    return rest <= 0;
  });
  return tokens.slice(Math.max(0, at));
}

export function readAnswer(answer: JsonRecord): ChatAnswer {
  const message = recordOf(answer.message);
  const calls = readCalls(message);
  const thinking = textOf(message.thinking);
  const parts: MessagePart[] = [
    ...(thinking === "" ? [] : [{ type: "reasoning", text: thinking, signature: "" } as const]),
    ...(textOf(message.content) === "" ? [] : [{ type: "text", text: textOf(message.content) } as const]),
    ...calls,
  ];
  const logprobs = readLogprobs(answer, textOf(message.content));
  const finish = readFinish(answer.done_reason, calls.length > 0);
  return {
    id: "",
    model: textOf(answer.model),
    choices: [{ parts, finish, ...(logprobs !== undefined && { logprobs }) }],
    usage: readUsage(answer),
  };
}

/** Reads the lines of a stream: each is an answer with a piece; the last has `done` and the counts. */
export class OllamaStreamDecoder implements StreamDecoder {
  #hasBegun = false;
  #calls = 0;

  read(_name: string, data: string): readonly ChatEvent[] {
    const line = parseExactFields(data, EXACT_FIELDS);
    if (carriesError(line)) return [{ type: "error", failure: readStreamError(data) }];
    if (!isRecord(line)) return [];
    const events: ChatEvent[] = [];
    if (!this.#hasBegun) events.push({ type: "answer-start", id: "", model: textOf(line.model) });
    this.#hasBegun = true;
    events.push(...this.#readMessage(line));
    if (line.done !== true) return events;
    events.push({ type: "answer-finish", choice: 0, finish: readFinish(line.done_reason, this.#calls > 0) });
    const usage = readUsage(line);
    if (usage !== undefined) events.push({ type: "usage-report", usage });
    return [...events, { type: "stream-end" }];
  }

  #readMessage(line: JsonRecord): readonly ChatEvent[] {
    const message = recordOf(line.message);
    const thinking = textOf(message.thinking);
    const text = textOf(message.content);
    const calls = readCalls(message).flatMap(({ id, name, input }): ChatEvent[] => {
      const call = this.#calls;
      this.#calls += 1;
      return [
        { type: "tool-call-start", choice: 0, call, id, name },
        { type: "tool-input-delta", choice: 0, call, text: input },
      ];
    });
    const events: readonly ChatEvent[] = [
      ...(thinking === "" ? [] : [{ type: "reasoning-delta", choice: 0, text: thinking } as const]),
      ...(text === "" ? [] : [{ type: "text-delta", choice: 0, text } as const]),
      ...calls,
    ];
    return withLogprobs(events, 0, readLogprobs(line, text));
  }
}
