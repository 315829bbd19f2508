import type { StreamDecoder } from "../../format-sides.ts";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { withExactFields } from "../../shared/exact-numbers.ts";
import { isRecord, type JsonRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { readFinish } from "./answer.ts";
import { EXACT_FIELDS } from "./read-parts.ts";
import { readStreamError } from "./read-error.ts";
import { readUsage, ToolBlocks, withSummaries } from "./usage.ts";

/** Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export class AnthropicStreamDecoder implements StreamDecoder {
  #model = "";
  #usage: Usage | undefined;
  readonly #tools = new ToolBlocks();
  readonly #calls = new Map<number, { readonly call: number; hasInput: boolean }>();
  #callCount = 0;

  read(_name: string, data: string): readonly ChatEvent[] {
    const event = parseJson(data);
    if (!isRecord(event)) return [];
    const index = numberOf(event.index) ?? 0;
    switch (event.type) {
      case "message_start": {
        const { id, model, usage } = recordOf(event.message);
        this.#model = textOf(model);
        return [{ type: "answer-start", id: textOf(id), model: this.#model }, ...this.#report(usage)];
      }
      case "content_block_start":
        return this.#readStart(recordOf(recordOf(withExactFields(event, data, EXACT_FIELDS)).content_block), index);
      case "content_block_delta":
        return this.#readDelta(recordOf(event.delta), index);
      case "content_block_stop":
        return this.#readStop(index);
      case "message_delta": {
        const finish = readFinish(recordOf(event.delta));
        const finished: readonly ChatEvent[] =
          finish === undefined ? [] : [{ type: "answer-finish", choice: 0, finish }];
        return [...finished, ...this.#report(event.usage)];
      }
      case "message_stop":
        return [{ type: "stream-end" }];
      case "error":
        return [{ type: "error", failure: readStreamError(data) }];
      default:
        return [];
    }
  }

  #report(reported: unknown): readonly ChatEvent[] {
    const usage = readUsage(reported, this.#model, this.#usage);
    if (usage === undefined) return [];
    this.#usage = usage;
    return [{ type: "usage-report", usage: withSummaries(usage, reported) }];
  }

  #readStart(block: JsonRecord, index: number): readonly ChatEvent[] {
    switch (block.type) {
      case "text":
        return textDelta(block.text);
      case "thinking":
        return thoughtDelta(block.thinking);
      case "redacted_thinking":
        return [{ type: "hidden-reasoning", choice: 0, data: textOf(block.data) }];
      case "tool_use": {
        const call = this.#callCount;
        this.#callCount += 1;
        const input = isRecord(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : "";
        this.#calls.set(index, { call, hasInput: input !== "" });
        const start = {
          type: "tool-call-start",
          choice: 0,
          call,
          id: textOf(block.id),
          name: textOf(block.name),
        } as const;
        return input === "" ? [start] : [start, { type: "tool-input-delta", choice: 0, call, text: input }];
      }
      default:
        return this.#readFees(block);
    }
  }

  #readFees(block: JsonRecord): readonly ChatEvent[] {
    const before = this.#tools.fees;
    this.#tools.note(block);
    const toolFees = this.#tools.fees;
    return toolFees === before ? [] : [{ type: "tool-fee-report", toolFees }];
  }

  #readDelta(delta: JsonRecord, index: number): readonly ChatEvent[] {
    switch (delta.type) {
      case "text_delta":
        return textDelta(delta.text);
      case "thinking_delta":
        return thoughtDelta(delta.thinking);
      case "signature_delta":
        return [{ type: "reasoning-signature", choice: 0, signature: textOf(delta.signature) }];
      case "input_json_delta": {
        const known = this.#calls.get(index);
        const text = textOf(delta.partial_json);
        if (known === undefined || text === "") return [];
        known.hasInput = true;
        return [{ type: "tool-input-delta", choice: 0, call: known.call, text }];
      }
      default:
        return [];
    }
  }

  /** A call without arguments becomes an empty object. */
  #readStop(index: number): readonly ChatEvent[] {
    const known = this.#calls.get(index);
    if (known === undefined || known.hasInput) return [];
    known.hasInput = true;
    return [{ type: "tool-input-delta", choice: 0, call: known.call, text: "{}" }];
  }
}

function textDelta(value: unknown): readonly ChatEvent[] {
  const text = textOf(value);
  return text === "" ? [] : [{ type: "text-delta", choice: 0, text }];
}

function thoughtDelta(value: unknown): readonly ChatEvent[] {
  const text = textOf(value);
  return text === "" ? [] : [{ type: "reasoning-delta", choice: 0, text }];
}
