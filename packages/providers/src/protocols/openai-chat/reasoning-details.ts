import type { ChatEvent } from "../../neutral/chat-answer.ts";
import type { MessagePart, ReasoningPart } from "../../neutral/message-part.ts";
import type { Thought } from "../../neutral/sealed-thoughts.ts";
import { FIELD, isNamed, nameSigner, signatureOf } from "../../neutral/signature.ts";
import { type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";

/**
 * Formats of `reasoning_details` with Anthropic's own signature. Details of other formats must return to OpenRouter
 * unchanged: their fields beside the text form the signature. Source:
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
const ANTHROPICS: ReadonlySet<unknown> = new Set([undefined, null, "anthropic-claude-v1"]);

function readDetail(detail: JsonRecord): Thought {
  const { text, summary, index: _place, ...rest } = detail;
  const isOther = !ANTHROPICS.has(detail.format);
  const own = isOther ? nameSigner("openrouter", JSON.stringify(rest)) : undefined;
  if (detail.type === "reasoning.encrypted") return { type: "hidden-reasoning", data: own ?? textOf(detail.data) };
  return { type: "reasoning", text: textOf(text) || textOf(summary), signature: own ?? textOf(detail.signature) };
}

/**
 * Reads details, which may be stream deltas: those with the same index are one thought. A signature alone ends the
 * previous thought.
 */
export function readDetails(details: readonly JsonRecord[]): readonly Thought[] {
  const thoughts: Thought[] = [];
  let index: unknown;
  for (const detail of details) {
    const last = thoughts.at(-1);
    const thought = readDetail(detail);
    if (thought.type === "hidden-reasoning") thoughts.push(thought);
    else if (last?.type === "reasoning" && goesOn(last, thought, index === detail.index, index)) {
      thoughts[thoughts.length - 1] = { ...thought, text: last.text + thought.text };
    } else if (thought.text !== "" || thought.signature !== "") thoughts.push(thought);
    ({ index } = detail);
  }
  return thoughts;
}

function goesOn(last: ReasoningPart, next: ReasoningPart, isSamePlace: boolean, index: unknown): boolean {
  const isOpen = last.signature === "" || signatureOf("openrouter", last.signature) !== undefined;
  return isOpen && isSamePlace && (index !== undefined || next.text === "");
}

/** Reads streamed details. The signature becomes an event at the end of its thought. */
export class DetailStream {
  /** The open thought, if its signature is known. */
  #open: { readonly place: string; readonly signature: string } | undefined;

  read(detail: JsonRecord, choice: number): readonly ChatEvent[] {
    const thought = readDetail(detail);
    if (thought.type === "hidden-reasoning") {
      return [...this.end(choice), { type: "hidden-reasoning", choice, data: thought.data }];
    }
    const { text, signature } = thought;
    const isOther = signatureOf("openrouter", signature) !== undefined;
    const place = `${textOf(detail.type)} ${String(detail.index)}`;
    const ended = this.#open === undefined || (isOther && this.#open.place === place) ? [] : this.end(choice);
    const said = text === "" ? [] : [{ type: "reasoning-delta", choice, text } as const];
    if (!isOther && signature !== "") return [...ended, ...said, { type: "reasoning-signature", choice, signature }];
    if (isOther) this.#open = { place, signature };
    return [...ended, ...said];
  }

  readText(text: string, signature: string, choice: number): readonly ChatEvent[] {
    if (signature !== "") this.#open = { place: FIELD, signature };
    return [{ type: "reasoning-delta", choice, text }];
  }

  end(choice: number): readonly ChatEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : [{ type: "reasoning-signature", choice, signature: open.signature }];
  }
}

export function writeDetails(thoughts: readonly MessagePart[]): readonly JsonRecord[] {
  return thoughts.flatMap(writeDetail).map((detail, index) => ({ ...detail, index }));
}

function writeDetail(part: MessagePart): readonly JsonRecord[] {
  if (part.type === "hidden-reasoning") {
    const own = signatureOf("openrouter", part.data);
    return [own === undefined ? { type: "reasoning.encrypted", data: part.data } : recordOf(parseJson(own))];
  }
  if (part.type !== "reasoning") return [];
  const { text, signature } = part;
  const own = signatureOf("openrouter", signature);
  if (own === undefined) return [{ type: "reasoning.text", text, ...(signature !== "" && { signature }) }];
  const rest = recordOf(parseJson(own));
  return [{ ...rest, ...(text !== "" && { [rest.type === "reasoning.summary" ? "summary" : "text"]: text }) }];
}

/** Details for OpenRouter. Thoughts of others become unsigned texts. */
export function detailsForOpenRouter(parts: readonly MessagePart[]): readonly JsonRecord[] {
  const isOwn = (signature: string) => !isNamed(signature) || signatureOf("openrouter", signature) !== undefined;
  const shown = parts.flatMap((part): readonly MessagePart[] => {
    if (part.type === "hidden-reasoning") return isOwn(part.data) ? [part] : [];
    if (part.type !== "reasoning" || isOwn(part.signature)) return [part];
    return part.text === "" ? [] : [{ ...part, signature: "" }];
  });
  return writeDetails(shown);
}
