import type { StreamDecoder } from "../../format.ts";
import { type ChatEvent, withLogprobs } from "../../neutral/chat-answer.ts";
import { nameSigner } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { readTokens } from "../openai/logprobs.ts";
import { type NamedTier, readTier } from "../openai/service-tier.ts";
import { readFinish, readUsage } from "./answer.ts";
import { readStreamError } from "./read-error.ts";
import { ToolsRun } from "./tool-fees.ts";

/** Reads a stream of OpenAI's Responses API. Source: https://platform.openai.com/docs/api-reference/responses-streaming */
export class ResponsesStreamDecoder implements StreamDecoder {
  /** Calls by the index of their item: their number, and whether arguments came. */
  readonly #calls = new Map<number, { readonly call: number; hasInput: boolean }>();
  /** A part of a thought has ended: what follows of it begins anew. */
  #hasPart = false;
  readonly #tools = new ToolsRun();
  #tier: NamedTier | undefined;

  read(_name: string, data: string): readonly ChatEvent[] {
    const event = parseJson(data);
    if (!isRecord(event)) return [];
    const index = numberOf(event.output_index) ?? 0;
    switch (event.type) {
      case "response.created": {
        const response = recordOf(event.response);
        const { id, model } = response;
        this.#tools.begin(response);
        this.#tier = readTier(response);
        return [{ type: "answer-start", id: textOf(id), model: textOf(model) }];
      }
      case "response.output_item.added":
        return this.#readStart(recordOf(event.item), index);
      case "response.output_item.done":
        return this.#readDone(recordOf(event.item), index);
      case "response.output_text.delta":
        return withLogprobs(deltaOf("text-delta", event), 0, readTokens(event.logprobs));
      case "response.refusal.delta":
        return deltaOf("refusal-delta", event);
      case "response.reasoning_summary_part.added": {
        const isNext = this.#hasPart;
        this.#hasPart = true;
        return isNext ? [{ type: "reasoning-delta", choice: 0, text: "\n\n" }] : [];
      }
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return deltaOf("reasoning-delta", event);
      case "response.function_call_arguments.delta":
        return this.#readInput(event.delta, index);
      case "response.completed":
      case "response.incomplete":
        return this.#readEnd(recordOf(event.response));
      case "response.failed":
      case "error":
        return [{ type: "error", failure: readStreamError(data) }];
      default:
        return [];
    }
  }

  #readStart(item: JsonRecord, index: number): readonly ChatEvent[] {
    this.#hasPart = false;
    if (item.type !== "function_call") return [];
    const call = this.#calls.size;
    this.#calls.set(index, { call, hasInput: false });
    return [{ type: "tool-call-start", choice: 0, call, id: textOf(item.call_id), name: textOf(item.name) }];
  }

  #readInput(value: unknown, index: number): readonly ChatEvent[] {
    const known = this.#calls.get(index);
    const text = textOf(value);
    if (known === undefined || text === "") return [];
    known.hasInput = true;
    return [{ type: "tool-input-delta", choice: 0, call: known.call, text }];
  }

  /** A whole item; some servers tell a call's arguments here alone. */
  #readDone(item: JsonRecord, index: number): readonly ChatEvent[] {
    if (item.type === "function_call") {
      return this.#calls.get(index)?.hasInput === false ? this.#readInput(item.arguments, index) : [];
    }
    if (this.#tools.note(item)) return [{ type: "tool-fee-report", toolFees: this.#tools.fees }];
    const signature = item.type === "reasoning" ? nameSigner("openai", textOf(item.encrypted_content)) : "";
    return signature === "" ? [] : [{ type: "reasoning-signature", choice: 0, signature }];
  }

  #readEnd(response: JsonRecord): readonly ChatEvent[] {
    const finish = readFinish(response, this.#calls.size > 0);
    const usage = readUsage(response, this.#tier);
    return [
      { type: "answer-finish", choice: 0, finish },
      ...(usage === undefined ? [] : [{ type: "usage-report", usage } as const]),
      { type: "stream-end" },
    ];
  }
}

function deltaOf(
  type: "text-delta" | "refusal-delta" | "reasoning-delta",
  { delta }: JsonRecord,
): readonly ChatEvent[] {
  const text = textOf(delta);
  return text === "" ? [] : [{ type, choice: 0, text }];
}
