import type { StreamDecoder } from "../../format-sides.ts";
import { BROKEN_MESSAGE } from "../../framing/aws-event-stream.ts";
import type { ChatAnswer, ChatEvent, Finish, FinishReason } from "../../neutral/chat-answer.ts";
import type { MessagePart } from "../../neutral/message-part.ts";
import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { DEAREST_TIER_FACTOR } from "../../shared/tiers.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import type { ModelTraits } from "./model-traits.ts";
import { readStreamException } from "./read-error.ts";

/**
 * Reads the usage of a whole answer or the event `metadata`. `inputTokens` excludes cache reads and writes.
 * Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export function readUsage(answer: unknown): Usage | undefined {
  const usage = recordOf(recordOf(answer).usage);
  if (numberOf(usage.inputTokens) === undefined && numberOf(usage.outputTokens) === undefined) return undefined;
  const plain = numberOf(usage.inputTokens) ?? 0;
  const cachedTokens = numberOf(usage.cacheReadInputTokens) ?? 0;
  const written = numberOf(usage.cacheWriteInputTokens) ?? 0;
  const hours = listOf(usage.cacheDetails)
    .map(recordOf)
    .filter(({ ttl }) => ttl === "1h");
  const longCacheWriteTokens = Math.min(
    written,
    hours.reduce((sum, { inputTokens }) => sum + (numberOf(inputTokens) ?? 0), 0),
  );
  return {
    ...NO_USAGE,
    promptTokens: plain + cachedTokens + written,
    completionTokens: numberOf(usage.outputTokens) ?? 0,
    cachedTokens,
    cacheWriteTokens: written - longCacheWriteTokens,
    longCacheWriteTokens,
    ...readTier(answer),
  };
}

/**
 * Tiers at the usual price or below; reserved capacity is prepaid. Source:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/service-tiers-inference.html
 */
const USUAL_TIERS: ReadonlySet<unknown> = new Set(["default", "reserved", "flex"]);

/** Reads the tier that served the request; one without a known price is charged as the dearest. */
function readTier(answer: unknown): Partial<Pick<Usage, "priceFactor" | "namesTier">> {
  const { type } = recordOf(recordOf(answer).serviceTier);
  if (type === undefined || type === null) return {};
  return { priceFactor: USUAL_TIERS.has(type) ? 1 : DEAREST_TIER_FACTOR, namesTier: true };
}

const FINISH_REASONS: ReadonlyMap<unknown, FinishReason> = new Map([
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "context"],
  ["tool_use", "tool-calls"],
  ["content_filtered", "refusal"],
  ["guardrail_intervened", "refusal"],
  ["malformed_model_output", "failed"],
  ["malformed_tool_use", "failed"],
]);

/** The stop sequence is among the model's own fields, which the request asks for. */
function readFinish({ stopReason, additionalModelResponseFields }: JsonRecord): Finish {
  const { stop_sequence: whole, delta } = recordOf(additionalModelResponseFields);
  const stopSequence = textOf(whole) || textOf(recordOf(delta).stop_sequence);
  return { reason: FINISH_REASONS.get(stopReason) ?? "stop", stopSequence };
}

export function readAnswer(answer: JsonRecord, traits: ModelTraits): ChatAnswer {
  const { content } = recordOf(recordOf(answer.output).message);
  const parts = listOf(content).flatMap((block) => readBlock(recordOf(block), traits));
  return { id: "", model: "", choices: [{ parts, finish: readFinish(answer) }], usage: readUsage(answer) };
}

function readBlock({ text, toolUse, reasoningContent }: JsonRecord, traits: ModelTraits): readonly MessagePart[] {
  const said = textOf(text);
  const { toolUseId, name, input } = recordOf(toolUse);
  const { reasoningText, redactedContent } = recordOf(reasoningContent);
  const thought = recordOf(reasoningText);
  const signature = traits.isClaude ? textOf(thought.signature) : "";
  return [
    ...(said === "" ? [] : [{ type: "text", text: said } as const]),
    ...(textOf(thought.text) === "" && signature === ""
      ? []
      : [{ type: "reasoning", text: textOf(thought.text), signature } as const]),
    ...(textOf(redactedContent) === "" || !traits.isClaude
      ? []
      : [{ type: "hidden-reasoning", data: textOf(redactedContent) } as const]),
    ...(toolUse === undefined
      ? []
      : [
          {
            type: "tool-call",
            id: textOf(toolUseId),
            name: textOf(name),
            input: JSON.stringify(input ?? {}),
          } as const,
        ]),
  ];
}

interface OpenCall {
  readonly call: number;
  hasInput: boolean;
}

/** Reads a stream. The order of `messageStop` and `metadata` depends on the model, and some omit the start. */
export class ConverseStreamDecoder implements StreamDecoder {
  readonly #traits: ModelTraits;
  #hasBegun = false;
  #hasStopped = false;
  #hasReported = false;
  readonly #calls = new Map<unknown, OpenCall>();
  #callCount = 0;

  constructor(traits: ModelTraits) {
    this.#traits = traits;
  }

  read(name: string, data: string): readonly ChatEvent[] {
    if (name === BROKEN_MESSAGE) return [brokenStream()];
    if (/exception$/i.test(name) || name === "error")
      return [{ type: "error", failure: readStreamException(name, data) }];
    const events = this.#readEvent(name, recordOf(parseJson(data)));
    const begins = !this.#hasBegun && events.length > 0;
    this.#hasBegun ||= begins;
    return [
      ...(begins ? [{ type: "answer-start", id: "", model: "" } as const] : []),
      ...events,
      ...(events.length > 0 && this.#hasStopped && this.#hasReported ? [{ type: "stream-end" } as const] : []),
    ];
  }

  #readEvent(name: string, event: JsonRecord): readonly ChatEvent[] {
    const index = event.contentBlockIndex;
    switch (name) {
      case "contentBlockStart":
        return this.#startCall(index, recordOf(event.start).toolUse);
      case "contentBlockDelta":
        return this.#readDelta(index, recordOf(event.delta));
      case "contentBlockStop":
        return this.#endCall(this.#calls.get(index));
      case "messageStop":
        this.#hasStopped = true;
        return [{ type: "answer-finish", choice: 0, finish: readFinish(event) }];
      case "metadata": {
        const usage = readUsage(event);
        this.#hasReported = usage !== undefined;
        return usage === undefined ? [] : [{ type: "usage-report", usage }];
      }
      default:
        return [];
    }
  }

  #startCall(index: unknown, toolUse: unknown): readonly ChatEvent[] {
    if (toolUse === undefined) return [];
    const { toolUseId, name } = recordOf(toolUse);
    const call = this.#callCount;
    this.#callCount += 1;
    this.#calls.set(index, { call, hasInput: false });
    return [{ type: "tool-call-start", choice: 0, call, id: textOf(toolUseId), name: textOf(name) }];
  }

  #readDelta(index: unknown, delta: JsonRecord): readonly ChatEvent[] {
    const text = textOf(delta.text);
    const input = textOf(recordOf(delta.toolUse).input);
    const open = this.#calls.get(index);
    if (open !== undefined && input !== "") {
      open.hasInput = true;
      return [{ type: "tool-input-delta", choice: 0, call: open.call, text: input }];
    }
    if (text !== "") return [{ type: "text-delta", choice: 0, text }];
    return this.#readThought(recordOf(delta.reasoningContent));
  }

  #readThought({ text, signature, redactedContent }: JsonRecord): readonly ChatEvent[] {
    if (textOf(text) !== "") return [{ type: "reasoning-delta", choice: 0, text: textOf(text) }];
    if (!this.#traits.isClaude) return [];
    if (textOf(signature) !== "") return [{ type: "reasoning-signature", choice: 0, signature: textOf(signature) }];
    return textOf(redactedContent) === ""
      ? []
      : [{ type: "hidden-reasoning", choice: 0, data: textOf(redactedContent) }];
  }

  /** A call without arguments receives an empty object. */
  #endCall(open: OpenCall | undefined): readonly ChatEvent[] {
    if (open === undefined || open.hasInput) return [];
    open.hasInput = true;
    return [{ type: "tool-input-delta", choice: 0, call: open.call, text: "{}" }];
  }
}

function brokenStream(): ChatEvent {
  const message = "The provider's stream was damaged or cut off.";
  return {
    type: "error",
    failure: { kind: "broken-stream", status: 200, message, code: "", type: "", param: null, retryAfterMs: null },
  };
}
