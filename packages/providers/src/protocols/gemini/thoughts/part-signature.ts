import { EventTooLongError } from "../../../framing/event-splitter.ts";
import { sealThoughts, type Thought } from "../../../neutral/sealed-thoughts.ts";
import { isProof, signatureOf } from "../../../neutral/signature.ts";
import type { JsonRecord } from "../../../shared/json-fields.ts";

/** Upper bound of a sealed thought, in UTF-16 units. */
const MAX_THOUGHT_LENGTH = 4 * 1024 * 1024;

/** Seals the thoughts before a part into the part's signature: clients return signatures but drop thoughts. */
export class PartSignature {
  #thoughts: Thought[] = [];

  /** Throws EventTooLongError for an overlong thought. */
  addText(text: string): void {
    const last = this.#thoughts.at(-1);
    const isOpen = last?.type === "reasoning" && last.signature === "";
    const whole = isOpen ? last.text + text : text;
    if (whole.length > MAX_THOUGHT_LENGTH) throw new EventTooLongError();
    this.#thoughts.splice(isOpen ? -1 : this.#thoughts.length, 1, { type: "reasoning", text: whole, signature: "" });
  }

  /** Ends the preceding thought; without one the signature belongs to the part. */
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

  /** Returns the next part with its signature. Unsigned thoughts are only sealed into calls, and wait for one. */
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

  /** Returns an empty part with the signature, or nothing: clients send each part back. */
  alone(): JsonRecord {
    const part = this.on({ text: "" });
    return part.thoughtSignature === undefined ? {} : { parts: [part] };
  }
}
