import { createHash } from "node:crypto";
import { textOf } from "../shared/json-fields.ts";
import type { HiddenReasoningPart, MessagePart, ReasoningPart } from "./message-part.ts";

/** A thought of the model, shown or hidden. */
export type Thought = ReasoningPart | HiddenReasoningPart;

/** True for a thought, shown or hidden. */
export function isThought(part: MessagePart | undefined): part is Thought {
  return part?.type === "reasoning" || part?.type === "hidden-reasoning";
}

/** First bytes of a seal. Their number is a multiple of three, so that their base64 does not depend on the bytes that follow. */
const MARK = "one-api1:";

/** First characters of every seal. A body without them holds none. */
export const SEAL_MARK = Buffer.from(MARK).toString("base64");

/**
 * A field of a seal: its kind, its length in UTF-16 units, a colon, its text. T is the text of a thought, D the digest of a text that stands
 * beside the seal, S the signature of the thought before it, H a hidden thought. Callers can write seals too, so that reading one must stay cheap.
 */
const FIELD = /([TDSH])(\d{1,9}):/y;
const MAX_FIELDS = 2_000;

function writeField(kind: "T" | "D" | "S" | "H", text: string): string {
  return `${kind}${text.length}:${text}`;
}

/**
 * Returns thoughts as one signature, in base64 because some formats expect bytes. A caller that drops the thoughts brings them back with it.
 * A seal is neither a secret nor a proof: it holds nothing that a caller could not send as a thought, and providers check their own signatures inside.
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

/** Makes the seal of a thought that the caller sends back beside it: the seal holds a digest of the text, which grows piece by piece. */
export class DigestSeal {
  readonly #hash = createHash("sha256");

  add(text: string): void {
    this.#hash.update(text);
  }

  /** Returns the seal and ends the digest. `signature` is the provider's own, empty without one. */
  write(signature: string): string {
    return writeSeal([writeField("D", this.#hash.digest("base64url")) + writeSignature(signature)]);
  }
}

/** Returns the seal of a thought whose text stands beside it. */
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

/** True for a signature that the gateway has made. */
export function isSeal(signature: string): boolean {
  return signature.startsWith(SEAL_MARK);
}

/**
 * Returns the thoughts of a seal; undefined for a signature of somebody else. `shown` is the text that stands beside it. A text that is not the one
 * that was sealed is a thought without a signature, and so is a text beside a damaged seal.
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

/** Returns the text of the thoughts that a signature brings back, for counting; empty for a signature of somebody else. */
export function textInSeal(signature: unknown): string {
  const thoughts = openSeal(textOf(signature), "") ?? [];
  return thoughts.map((thought) => (thought.type === "reasoning" ? thought.text : "")).join("");
}
