import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { ObjectEnd } from "../../shared/object-end.ts";
import { inputText, readGoogleSignature } from "./read-parts.ts";

/** A call of a tool that comes in pieces. */
interface StreamedCall {
  /** Its place among the calls of the choice. */
  readonly call: number;
  /** As the provider numbers it; undefined where it does not. */
  readonly index: number | undefined;
  id: string;
  name: string;
  signature: string;
  /** A call of a custom tool, whose input is a text and no JSON. */
  readonly takesText: boolean;
  readonly input: ObjectEnd;
  /** Arguments that came before the name. */
  held: string;
  hasBegun: boolean;
}

/** What a piece says of its call; empty, or undefined, where it does not. */
interface PieceOfCall {
  readonly id: string;
  readonly name: string;
  readonly index: number | undefined;
}

/**
 * Reads the calls of one choice. A piece belongs to the call of its id, else to the last call of its index, else to the last call. It begins a new
 * call instead where it brings another id or another name, or a name again after whole arguments: several servers number all calls alike, or not
 * at all.
 */
export class StreamedCalls {
  readonly #choice: number;
  readonly #calls: StreamedCall[] = [];

  constructor(choice: number) {
    this.#choice = choice;
  }

  /** The events of a message's piece. */
  read(delta: JsonRecord): readonly ChatEvent[] {
    const pieces = listOf(delta.tool_calls).filter(isRecord);
    const older = isRecord(delta.function_call) ? [{ function: delta.function_call }] : [];
    return [...pieces, ...older].flatMap((piece) => this.#readPiece(piece));
  }

  /** Begins the calls whose name or id has not come. */
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

/** Whether a piece cannot go on with the last call. Older vLLM gives every piece an id of its own, but only the first one a name. */
function beginsAnew(last: StreamedCall, { id, name, index }: PieceOfCall): boolean {
  const hasOtherId = id !== "" && last.id !== "" && id !== last.id;
  if (hasOtherId) return index === undefined || name !== "" || last.input.isWhole;
  return name !== "" && last.name !== "" && (name !== last.name || last.input.isWhole);
}
