import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

export type TextKind = "text" | "refusal" | "thought";

export interface PieceOfItem {
  readonly kind: TextKind;
  readonly place: string;
  readonly text: string;
}

export function piecesOf(item: JsonRecord): readonly PieceOfItem[] {
  const contents = listOf(item.content).map(recordOf);
  if (item.type === "reasoning") {
    return [
      ...listOf(item.summary)
        .map(recordOf)
        .map((part, index) => pieceOf("thought", `summary ${index}`, part.text)),
      ...contents.map((part, index) => pieceOf("thought", `content ${index}`, part.text)),
    ];
  }
  if (item.type !== "message") return [];
  return contents
    .filter(isRecord)
    .map((part, index) =>
      part.type === "refusal"
        ? pieceOf("refusal", `content ${index}`, part.refusal)
        : pieceOf("text", `content ${index}`, part.text),
    );
}

function pieceOf(kind: TextKind, place: string, text: unknown): PieceOfItem {
  return { kind, place, text: textOf(text) };
}

/** Counts the delivered characters of each text, so that its repetition at the end is not delivered again. */
export class DeliveredPieces {
  readonly #byPiece = new Map<string, number>();
  readonly #byKind = new Map<TextKind, number>();

  add(item: string, { kind, place, text }: PieceOfItem): string {
    const piece = `${item} ${place}`;
    this.#byPiece.set(piece, (this.#byPiece.get(piece) ?? 0) + text.length);
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + text.length);
    return text;
  }

  /** Returns the rest of a whole text that was not delivered, and records it. */
  complete(item: string, piece: PieceOfItem): string {
    const known = this.#byPiece.get(`${item} ${piece.place}`) ?? 0;
    return this.add(item, { ...piece, text: piece.text.slice(known) });
  }

  isNew(item: string, place: string): boolean {
    return !this.#byPiece.has(`${item} ${place}`);
  }

  /**
   * The returned function receives the texts of the whole answer in order. It returns the rest of each that was not
   * delivered under any position.
   */
  rest(): (piece: PieceOfItem) => string {
    const known = new Map(this.#byKind);
    return ({ kind, text }) => {
      const delivered = known.get(kind) ?? 0;
      known.set(kind, Math.max(0, delivered - text.length));
      return text.slice(delivered);
    };
  }
}
