import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { ObjectEnd } from "../../shared/object-end.ts";
import { inputText, readGoogleSignature } from "./read-parts.ts";

interface StreamedCall {
  readonly call: number;
  readonly index: number | undefined;
  id: string;
  name: string;
  signature: string;
  /** A custom tool: its input is text, not JSON. */
  readonly takesText: boolean;
  readonly input: ObjectEnd;
  held: string;
  hasBegun: boolean;
}

interface PieceOfCall {
  readonly id: string;
  readonly name: string;
  readonly index: number | undefined;
}

/**
 * Assembles the calls of one choice. A delta belongs, in this order, to the call with its id, the last call with its
 * index, or the last call.
 *
 * Several servers send no index, or the same for all calls. Another id or name, or a name after complete arguments,
 * therefore begins a new call.
 */
export class StreamedCalls {
  readonly #choice: number;
  readonly #calls: StreamedCall[] = [];

  constructor(choice: number) {
    this.#choice = choice;
  }

  read(delta: JsonRecord): readonly ChatEvent[] {
    const pieces = listOf(delta.tool_calls).filter(isRecord);
    const older = isRecord(delta.function_call) ? [{ function: delta.function_call }] : [];
    return [...pieces, ...older].flatMap((piece) => this.#readPiece(piece));
  }

  end(): readonly ChatEvent[] {
    return this.#calls.flatMap((call) => (call.hasBegun ? [] : this.#begin(call)));
  }

  #readPiece(piece: JsonRecord): readonly ChatEvent[] {
    const takesText = isRecord(piece.custom);
    const called = recordOf(takesText ? piece.custom : piece.function);
    const found = this.#find(
      { id: textOf(piece.id), name: textOf(called.name), index: numberOf(piece.index) },
      takesText,
    );
    found.id ||= textOf(piece.id);
    found.name ||= textOf(called.name);
    found.signature ||= readGoogleSignature(piece);
    const text = takesText ? textOf(called.input) : inputText(called.arguments);
    if (!takesText) found.input.push(text);
    if (found.hasBegun) return this.#grow(found, text);
    found.held += text;
    const isKnown = found.name !== "" && (found.id !== "" || found.held !== "");
    return isKnown ? this.#begin(found) : [];
  }

  #find({ id, name, index }: PieceOfCall, takesText: boolean): StreamedCall {
    const isHere = (call: StreamedCall) => index === undefined || call.index === undefined || call.index === index;
    const named = id === "" ? undefined : this.#calls.findLast((call) => call.id === id && isHere(call));
    if (named !== undefined) return named;
    const last = index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    if (last !== undefined && !beginsAnew(last, { id, name, index })) return last;
    const begun: StreamedCall = {
      call: this.#calls.length,
      index,
      id,
      name: "",
      signature: "",
      takesText,
      input: new ObjectEnd(),
      held: "",
      hasBegun: false,
    };
    this.#calls.push(begun);
    return begun;
  }

  #begin(call: StreamedCall): readonly ChatEvent[] {
    const choice = this.#choice;
    const { id, name, signature, held, takesText } = call;
    call.hasBegun = true;
    call.held = "";
    return [
      ...(signature === "" ? [] : [{ type: "reasoning-signature", choice, signature } as const]),
      { type: "tool-call-start", choice, call: call.call, id, name, ...(takesText && { takesText }) },
      ...this.#grow(call, held),
    ];
  }

  #grow({ call }: StreamedCall, text: string): readonly ChatEvent[] {
    return text === "" ? [] : [{ type: "tool-input-delta", choice: this.#choice, call, text }];
  }
}

/**
 * True if a delta cannot continue the last call. Older vLLM sends a new id with every delta, but a name only with the
 * first.
 */
function beginsAnew(last: StreamedCall, { id, name, index }: PieceOfCall): boolean {
  const hasOtherId = id !== "" && last.id !== "" && id !== last.id;
  if (hasOtherId) return index === undefined || name !== "" || last.input.isWhole;
  return name !== "" && last.name !== "" && (name !== last.name || last.input.isWhole);
}
