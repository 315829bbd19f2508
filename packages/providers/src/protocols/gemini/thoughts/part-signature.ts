import { EventTooLongError } from "../../../framing/event-splitter.ts";
import { sealThoughts, type Thought } from "../../../neutral/sealed-thoughts.ts";
import { isProof, signatureOf } from "../../../neutral/signature.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";

/** Longest thought that a signature brings back, in UTF-16 units. */
const MAX_THOUGHT_LENGTH = 4 * 1024 * 1024;

/** Gathers the thoughts in front of a part and makes the signature of the part: clients keep signatures and drop thoughts. */
export class PartSignature {
  #thoughts: Thought[] = [];

  /** Throws EventTooLongError for a thought that is too long. */
  addText(text: string): void {
    const last = this.#thoughts.at(-1);
    const isOpen = last?.type === "reasoning" && last.signature === "";
    const whole = isOpen ? last.text + text : text;
    if (whole.length > MAX_THOUGHT_LENGTH) throw new EventTooLongError();
    this.#thoughts.splice(isOpen ? -1 : this.#thoughts.length, 1, { type: "reasoning", text: whole, signature: "" });
  }

  /** Ends the thought before it; without one the signature is that of the part. */
  addSignature(signature: string): void {
    if (signature === "") return;
    const last = this.#thoughts.at(-1);
    if (last?.type !== "reasoning" || last.signature !== "") {
      this.#thoughts.push({ type: "reasoning", text: "", signature });
    } else this.#thoughts.splice(-1, 1, { ...last, signature });
  }

  addHidden(data: string): void {
    this.#thoughts.push({ type: "hidden-reasoning", data });
  }

  /** Returns the next part with its signature. A thought that nobody has signed is needed with calls alone, and waits for one. */
  on(part: JsonRecord): JsonRecord {
    const thoughts = this.#thoughts;
    const isCall = part.functionCall !== undefined;
    const isSigned = thoughts.some((thought) => thought.type === "hidden-reasoning" || isProof(thought.signature));
    if (thoughts.length === 0 || !(isCall || isSigned)) return part;
    this.#thoughts = [];
    const last = thoughts.at(-1);
    const own = last?.type === "reasoning" ? signatureOf("gemini", last.signature) : undefined;
    return { ...part, thoughtSignature: own ?? sealThoughts(thoughts) };
  }

  /** Returns the signature on an empty part, or nothing: clients keep each part as a turn of the conversation. */
  alone(): JsonRecord {
    const part = this.on({ text: "" });
    return part.thoughtSignature === undefined ? {} : { parts: [part] };
  }
}
