import type { StreamDecoder } from "../../format-sides.ts";
import { type ChatEvent, withLogprobs } from "../../neutral/chat-answer.ts";
import { nameSigner } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { readTokens } from "../openai/logprobs.ts";
import { type NamedTier, readTier } from "../openai/service-tier.ts";
import { readFinish, readUsage } from "./answer.ts";
import { DeliveredPieces, type PieceOfItem, piecesOf, type TextKind } from "./delivered-pieces.ts";
import { ItemPlaces } from "./item-places.ts";
import { readStreamError } from "./read-error.ts";
import { ToolsRun } from "./tool-fees.ts";

interface StreamedCall {
  readonly call: number;
  readonly ids: readonly string[];
  inputLength: number;
}

const PARAGRAPH = "\n\n";

/**
 * Delivers each character once, although several servers send a text or call only at its end: in its `done` event, its
 * item's, or the whole answer. Source: https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponsesStreamDecoder implements StreamDecoder {
  readonly #places = new ItemPlaces();
  readonly #pieces = new DeliveredPieces();
  readonly #calls = new Map<string, StreamedCall>();
  #callCount = 0;
  #thought = "";
  #hasSignature = false;
  readonly #tools = new ToolsRun();
  #tier: NamedTier | undefined;

  read(_name: string, data: string): readonly ChatEvent[] {
    const event = parseJson(data);
    if (!isRecord(event)) return [];
    const type = textOf(event.type);
    const place = this.#places.find(event);
    switch (type) {
      case "response.created": {
        const response = recordOf(event.response);
        this.#tools.begin(response);
        this.#tier = readTier(response);
        return [{ type: "answer-start", id: textOf(response.id), model: textOf(response.model) }];
      }
      case "response.output_item.added":
        return this.#readStart(recordOf(event.item), place);
      case "response.output_item.done":
        return this.#readDone(recordOf(event.item), place);
      case "response.function_call_arguments.delta":
        return this.#readInput(place, textOf(event.delta));
      case "response.function_call_arguments.done":
        return this.#completeInput(place, event.arguments);
      case "response.completed":
      case "response.incomplete":
        return this.#readEnd(recordOf(event.response));
      case "response.failed":
      case "error":
        return [{ type: "error", failure: readStreamError(data) }];
      default:
        return this.#readText(type, event, place);
    }
  }

  #readText(type: string, event: JsonRecord, place: string): readonly ChatEvent[] {
    const { delta, kind, field } = TEXT_EVENTS.get(type) ?? {};
    if (kind === undefined || field === undefined) return [];
    const part = event.summary_index === undefined ? "content" : "summary";
    const index = numberOf(event.summary_index) ?? numberOf(event.content_index) ?? 0;
    const piece = { kind, place: `${part} ${index}`, text: textOf(event[field]) };
    const events = this.#deliver(place, piece, delta === true);
    return withLogprobs(events, 0, delta === true && kind === "text" ? readTokens(event.logprobs) : undefined);
  }

  /** Delivers the new text of a delta or a whole text. Pieces of one thought are separated. */
  #deliver(item: string, piece: PieceOfItem, isDelta: boolean): readonly ChatEvent[] {
    const isNew = this.#pieces.isNew(item, piece.place);
    const text = isDelta ? this.#pieces.add(item, piece) : this.#pieces.complete(item, piece);
    if (text === "") return [];
    if (piece.kind !== "thought") return [deltaOf(piece.kind, text)];
    const isNext = this.#thought === item && isNew;
    this.#thought = item;
    if (isNext) this.#pieces.add(item, { kind: "thought", place: "between", text: PARAGRAPH });
    return [deltaOf("thought", isNext ? PARAGRAPH + text : text)];
  }

  #readStart(item: JsonRecord, place: string): readonly ChatEvent[] {
    return item.type === "function_call" ? this.#startCall(item, place) : [];
  }

  #startCall(item: JsonRecord, place: string): readonly ChatEvent[] {
    const call = this.#callCount;
    this.#callCount += 1;
    const ids = [textOf(item.id), textOf(item.call_id)].filter((id) => id !== "");
    this.#calls.set(place, { call, ids, inputLength: 0 });
    return [{ type: "tool-call-start", choice: 0, call, id: textOf(item.call_id), name: textOf(item.name) }];
  }

  #readInput(place: string, text: string): readonly ChatEvent[] {
    const known = this.#calls.get(place);
    if (known === undefined || text === "") return [];
    known.inputLength += text.length;
    return [{ type: "tool-input-delta", choice: 0, call: known.call, text }];
  }

  #completeInput(place: string, input: unknown): readonly ChatEvent[] {
    return this.#readInput(place, textOf(input).slice(this.#calls.get(place)?.inputLength ?? 0));
  }

  #readDone(item: JsonRecord, place: string): readonly ChatEvent[] {
    if (item.type === "function_call") {
      const known = this.#calls.get(place);
      const isKnown = known !== undefined && isSameCall(known, item);
      const started = isKnown ? [] : this.#startCall(item, place);
      return [...started, ...this.#completeInput(place, item.arguments)];
    }
    if (this.#tools.note(item)) return [{ type: "tool-fee-report", toolFees: this.#tools.fees }];
    const texts = piecesOf(item).flatMap((piece) => this.#deliver(place, piece, false));
    return [...texts, ...this.#readSignature(item)];
  }

  #readSignature(item: JsonRecord): readonly ChatEvent[] {
    const signature = item.type === "reasoning" ? nameSigner("openai", textOf(item.encrypted_content)) : "";
    if (signature === "") return [];
    this.#hasSignature = true;
    return [{ type: "reasoning-signature", choice: 0, signature }];
  }

  #readEnd(response: JsonRecord): readonly ChatEvent[] {
    const rest = this.#readRest(listOf(response.output).filter(isRecord));
    const usage = readUsage(response, this.#tier);
    return [
      ...rest,
      { type: "answer-finish", choice: 0, finish: readFinish(response, this.#callCount > 0) },
      ...(usage === undefined ? [] : [{ type: "usage-report", usage } as const]),
      { type: "stream-end" },
    ];
  }

  #readRest(items: readonly JsonRecord[]): readonly ChatEvent[] {
    const restOf = this.#pieces.rest();
    const isSigned = this.#hasSignature;
    let calls = 0;
    return items.flatMap((item, index): readonly ChatEvent[] => {
      if (item.type === "function_call") {
        calls += 1;
        return this.#isKnownCall(item, calls) ? [] : this.#readDone(item, `end ${index}`);
      }
      const texts = joinThoughts(piecesOf(item)).flatMap((piece) => {
        const text = restOf(piece);
        return text === "" ? [] : [deltaOf(piece.kind, text)];
      });
      return isSigned ? texts : [...texts, ...this.#readSignature(item)];
    });
  }

  #isKnownCall(item: JsonRecord, count: number): boolean {
    if (textOf(item.id) === "" && textOf(item.call_id) === "") return count <= this.#callCount;
    return [...this.#calls.values()].some((call) => isSameCall(call, item));
  }
}

function isSameCall({ ids }: StreamedCall, item: JsonRecord): boolean {
  return ids.length === 0 || ids.includes(textOf(item.id)) || ids.includes(textOf(item.call_id));
}

function joinThoughts(pieces: readonly PieceOfItem[]): readonly PieceOfItem[] {
  const said = pieces.filter(({ text }) => text !== "");
  const [first, ...others] = said;
  if (first?.kind !== "thought" || others.length === 0) return said;
  return [{ ...first, text: said.map(({ text }) => text).join(PARAGRAPH) }];
}

const TEXT_EVENTS: ReadonlyMap<string, { readonly kind: TextKind; readonly field: string; readonly delta: boolean }> =
  new Map([
    ["response.output_text.delta", { kind: "text", field: "delta", delta: true }],
    ["response.output_text.done", { kind: "text", field: "text", delta: false }],
    ["response.refusal.delta", { kind: "refusal", field: "delta", delta: true }],
    ["response.refusal.done", { kind: "refusal", field: "refusal", delta: false }],
    ["response.reasoning_summary_text.delta", { kind: "thought", field: "delta", delta: true }],
    ["response.reasoning_summary_text.done", { kind: "thought", field: "text", delta: false }],
    ["response.reasoning_text.delta", { kind: "thought", field: "delta", delta: true }],
    ["response.reasoning_text.done", { kind: "thought", field: "text", delta: false }],
  ]);

function deltaOf(kind: TextKind, text: string): ChatEvent {
  const type = kind === "thought" ? "reasoning-delta" : kind === "refusal" ? "refusal-delta" : "text-delta";
  return { type, choice: 0, text };
}
