import type { StreamDecoder } from "../../format-sides.ts";
import {
  type ChatAnswer,
  type ChatEvent,
  type Finish,
  type FinishReason,
  withLogprobs,
} from "../../neutral/chat-answer.ts";
import type { WrittenToken } from "../../neutral/logprobs.ts";
import type { MessagePart } from "../../neutral/message-part.ts";
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { readStreamError } from "../read-error.ts";
import { carriesError, failureOfEnd } from "./read-error.ts";

/**
 * Reads `usage` of an answer, or `meta` of embeddings: the model's tokens, else the billed ones, which are fewer.
 * Undefined if it has neither.
 */
export function readUsage(answer: unknown): Usage | undefined {
  const { usage, meta } = recordOf(answer);
  const report = recordOf(usage ?? meta);
  const { input_tokens: prompt, output_tokens: completion } = recordOf(report.tokens ?? report.billed_units);
  const completionTokens = numberOf(completion);
  if (numberOf(prompt) === undefined && completionTokens === undefined) return undefined;
  const promptTokens = numberOf(prompt) ?? 0;
  const cachedTokens = Math.min(numberOf(report.cached_tokens) ?? 0, promptTokens);
  return { ...NO_USAGE, promptTokens, completionTokens: completionTokens ?? 0, cachedTokens };
}

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ["MAX_TOKENS", "length"],
  ["TOOL_CALL", "tool-calls"],
]);

/** Cohere does not report which stop sequence matched. */
function readFinish(reason: unknown): Finish {
  return { reason: FINISH_REASONS.get(reason) ?? "stop", stopSequence: "" };
}

/** Without parameters Cohere writes nothing or `null`, but callers expect an object. */
function inputText(text: string): string {
  return /^\s*(?:null\s*)?$/.test(text) ? "{}" : text;
}

function readContent(block: JsonRecord): readonly MessagePart[] {
  const text = textOf(block.text);
  const thinking = textOf(block.thinking);
  return [
    ...(thinking === "" ? [] : [{ type: "reasoning", text: thinking, signature: "" } as const]),
    ...(text === "" ? [] : [{ type: "text", text } as const]),
  ];
}

/** Reads a whole answer. The plan before tool calls becomes a thought. Citations are dropped. */
export function readAnswer(answer: JsonRecord): ChatAnswer {
  const { content, tool_plan: plan, tool_calls: calls } = recordOf(answer.message);
  const parts: MessagePart[] = [
    ...listOf(content).flatMap((block) => readContent(recordOf(block))),
    ...readContent({ thinking: plan }),
    ...listOf(calls)
      .map(recordOf)
      .map(({ id, function: called }) => {
        const { name, arguments: input } = recordOf(called);
        return { type: "tool-call", id: textOf(id), name: textOf(name), input: inputText(textOf(input)) } as const;
      }),
  ];
  const finish = readFinish(answer.finish_reason);
  const logprobs = readLogprobs(listOf(answer.logprobs));
  const choice = { parts, finish, ...(logprobs !== undefined && { logprobs }) };
  return { id: textOf(answer.id), model: "", choices: [choice], usage: readUsage(answer) };
}

/**
 * Log probabilities of the text; undefined without any. A piece of several tokens counts as one token with their joint
 * probability, because their own texts are not reported. Source: https://docs.cohere.com/reference/chat
 */
function readLogprobs(items: readonly unknown[]): readonly WrittenToken[] | undefined {
  const pieces = items.filter(isRecord);
  if (pieces.length === 0) return undefined;
  return pieces.map(({ text, logprobs }) => ({
    token: textOf(text),
    logprob: listOf(logprobs).reduce<number>((sum, logprob) => sum + (numberOf(logprob) ?? 0), 0),
    likeliest: [],
  }));
}

interface OpenCall {
  readonly call: number;
  /** Buffered start of the arguments, which may be no object; undefined once it is one. */
  held: string | undefined;
}

/** Reads a stream from `message-start` to `message-end`. Source: https://docs.cohere.com/v2/docs/streaming */
export class CohereStreamDecoder implements StreamDecoder {
  readonly #calls = new Map<unknown, OpenCall>();
  #callCount = 0;

  read(_name: string, data: string): readonly ChatEvent[] {
    const event = parseJson(data);
    if (carriesError(event)) return [{ type: "error", failure: readStreamError(data) }];
    if (!isRecord(event)) return [];
    const delta = recordOf(event.delta);
    const message = recordOf(delta.message);
    switch (event.type) {
      case "message-start":
        return [{ type: "answer-start", id: textOf(event.id), model: "" }];
      case "content-start":
        return deltasOf(recordOf(message.content));
      case "content-delta":
        return this.#readContent(recordOf(message.content), event.logprobs);
      case "tool-plan-delta":
        return deltasOf({ thinking: message.tool_plan });
      case "tool-call-start":
        return this.#startCall(event.index, recordOf(message.tool_calls));
      case "tool-call-delta":
        return this.#writeInput(event.index, recordOf(message.tool_calls));
      case "tool-call-end":
        return this.#endInput(this.#calls.get(event.index));
      case "message-end":
        return this.#end(delta);
      default:
        return [];
    }
  }

  #readContent(content: JsonRecord, piece: unknown): readonly ChatEvent[] {
    const events = deltasOf(content);
    return textOf(content.text) === "" ? events : withLogprobs(events, 0, readLogprobs([piece]));
  }

  #startCall(index: unknown, { id, function: called }: JsonRecord): readonly ChatEvent[] {
    const call = this.#callCount;
    this.#callCount += 1;
    this.#calls.set(index, { call, held: "" });
    const name = textOf(recordOf(called).name);
    return [
      { type: "tool-call-start", choice: 0, call, id: textOf(id), name },
      ...this.#writeInput(index, { function: called }),
    ];
  }

  #writeInput(index: unknown, { function: called }: JsonRecord): readonly ChatEvent[] {
    const open = this.#calls.get(index);
    if (open === undefined) return [];
    const text = (open.held ?? "") + textOf(recordOf(called).arguments);
    if (open.held !== undefined && !text.includes("{")) {
      open.held = text;
      return [];
    }
    open.held = undefined;
    return text === "" ? [] : [{ type: "tool-input-delta", choice: 0, call: open.call, text }];
  }

  #endInput(open: OpenCall | undefined): readonly ChatEvent[] {
    if (open?.held === undefined) return [];
    const text = inputText(open.held);
    open.held = undefined;
    return [{ type: "tool-input-delta", choice: 0, call: open.call, text }];
  }

  #end(delta: JsonRecord): readonly ChatEvent[] {
    const usage = readUsage(delta);
    const reports: readonly ChatEvent[] = usage === undefined ? [] : [{ type: "usage-report", usage }];
    const failure = failureOfEnd(delta);
    if (failure !== undefined) {
      const kind = failure.kind === "timeout" ? "timeout" : "broken-stream";
      return [...reports, { type: "error", failure: { ...failure, kind } }];
    }
    return [
      ...[...this.#calls.values()].flatMap((open) => this.#endInput(open)),
      { type: "answer-finish", choice: 0, finish: readFinish(delta.finish_reason) },
      ...reports,
      { type: "stream-end" },
    ];
  }
}

function deltasOf(content: JsonRecord): readonly ChatEvent[] {
  return readContent(content).flatMap((part): readonly ChatEvent[] => {
    if (part.type === "text") return [{ type: "text-delta", choice: 0, text: part.text }];
    return part.type === "reasoning" ? [{ type: "reasoning-delta", choice: 0, text: part.text }] : [];
  });
}
