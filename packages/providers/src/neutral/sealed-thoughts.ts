import { createHash } from "node:crypto";
import { textOf } from "../shared/json-fields.ts";
import type { HiddenReasoningPart, MessagePart, ReasoningPart } from "./message-part.ts";

export type Thought = ReasoningPart | HiddenReasoningPart;

export function isThought(part: MessagePart | undefined): part is Thought {
  return part?.type === "reasoning" || part?.type === "hidden-reasoning";
}

/** First bytes of a seal. Their number is a multiple of three, so their base64 is independent of the bytes that follow. */
const MARK = "one-api1:";

/** First characters of every seal. A body without them has none. */
export const SEAL_MARK = Buffer.from(MARK).toString("base64");

/**
 * Field of a seal: kind, length in UTF-16 units, colon, text. Callers can write seals too, so reading must stay cheap.
 *
 * | kind | text |
 * |---|---|
 * | T | text of a thought |
 * | D | digest of a text outside the seal |
 * | S | signature of the preceding thought |
 * | H | hidden thought |
 */
const FIELD = /([TDSH])(\d{1,9}):/y;
const MAX_FIELDS = 2_000;

function writeField(kind: "T" | "D" | "S" | "H", text: string): string {
  return `${kind}${text.length}:${text}`;
}

/**
 * Encodes thoughts as one base64 signature, which callers return even if they drop thoughts. A seal is neither secret
 * nor proof: providers verify the signatures inside.
 */
export function sealThoughts(thoughts: readonly Thought[]): string {
  return writeSeal(
    thoughts.map((thought) =>
      thought.type === "reasoning"
        ? writeField("T", thought.text) + writeSignature(thought.signature)
        : writeField("H", thought.data),
    ),
  );
}

/** Builds the seal of a thought that the caller returns beside it: only a digest of the streamed text. */
export class DigestSeal {
  readonly #hash = createHash("sha256");

  add(text: string): void {
    this.#hash.update(text);
  }

  /** Returns the seal and ends the digest. `signature` is the provider's own, or empty. */
  write(signature: string): string {
    return writeSeal([writeField("D", this.#hash.digest("base64url")) + writeSignature(signature)]);
  }
}

export function sealBeside({ text, signature }: ReasoningPart): string {
  const seal = new DigestSeal();
  seal.add(text);
  return seal.write(signature);
}

function writeSignature(signature: string): string {
  return signature === "" ? "" : writeField("S", signature);
}

function writeSeal(fields: readonly string[]): string {
  return Buffer.from(MARK + fields.join("")).toString("base64");
}

export function isSeal(signature: string): boolean {
  return signature.startsWith(SEAL_MARK);
}

/**
 * Returns the thoughts of a seal; undefined for any other signature. `shown`, the text beside it, loses its signature
 * if its digest differs or the seal is damaged.
 */
export function openSeal(signature: string, shown: string): readonly Thought[] | undefined {
  if (!isSeal(signature)) return undefined;
  const thoughts: Thought[] = [];
  for (const { kind, text } of readFields(Buffer.from(signature, "base64").toString())) {
    const last = thoughts.at(-1);
    if (kind === "T") thoughts.push({ type: "reasoning", text, signature: "" });
    else if (kind === "H") thoughts.push({ type: "hidden-reasoning", data: text });
    else if (kind === "D") {
      if (digestOf(shown) !== text) return unsigned(shown);
      thoughts.push({ type: "reasoning", text: shown, signature: "" });
    } else if (last?.type === "reasoning") thoughts[thoughts.length - 1] = { ...last, signature: text };
  }
  return thoughts.length === 0 ? unsigned(shown) : thoughts.filter(saysSomething);
}

function unsigned(text: string): readonly Thought[] {
  return text === "" ? [] : [{ type: "reasoning", text, signature: "" }];
}

function saysSomething(thought: Thought): boolean {
  return thought.type === "hidden-reasoning" || thought.text !== "" || thought.signature !== "";
}

interface Field {
  readonly kind: string;
  readonly text: string;
}

function readFields(seal: string): readonly Field[] {
  const fields: Field[] = [];
  let at = MARK.length;
  while (at < seal.length && fields.length < MAX_FIELDS) {
    FIELD.lastIndex = at;
    const [head = "", kind = "", length = ""] = FIELD.exec(seal) ?? [];
    const end = at + head.length + Number(length);
    if (head === "" || end > seal.length) return [];
    fields.push({ kind, text: seal.slice(at + head.length, end) });
    at = end;
  }
  return fields;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Text of the sealed thoughts, for token counts; empty for any other signature. */
export function textInSeal(signature: unknown): string {
  const thoughts = openSeal(textOf(signature), "") ?? [];
  return thoughts.map((thought) => (thought.type === "reasoning" ? thought.text : "")).join("");
}
