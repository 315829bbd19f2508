import type { Behaviour } from "./behaviour.ts";
import { withoutMarkers } from "./behaviour-marker.ts";

export type FinishReason = "stop" | "length" | "tool_calls";

/** One choice of a completion, cut into the pieces that a stream sends one by one. */
export interface Answer {
  pieces: readonly string[];
  /** Null when the behaviour hides it. */
  finishReason: FinishReason | null;
  reasoningTokens: number;
}

const filler =
  "and here are some more words so that this answer becomes as long as it was asked to be , one word at a time ,".split(
    " ",
  );
const longestEcho = 1_000;

/** The n-th filler word with the space before it; the seed shifts the row. */
export function fillerWord(position: number, seed: number): string {
  return ` ${filler[(position + seed) % filler.length]}`;
}

/** Cuts a text before its spaces; joined again the pieces give the text. */
function splitPieces(text: string): string[] {
  return text === "" ? [] : text.split(/(?=\s\S)/u);
}

/** An echo of what the caller said, or the text and length that the behaviour asks for, cut at `maxTokens`. */
export function composeAnswer(said: string, maxTokens: number | undefined, behaviour: Behaviour, seed: number): Answer {
  const pieces = splitPieces(behaviour.text ?? echo(said, behaviour));
  if (behaviour.pieces !== undefined) {
    pieces.length = Math.min(pieces.length, behaviour.pieces);
    const missing = behaviour.pieces - pieces.length;
    for (let position = 0; position < missing; position += 1) pieces.push(fillerWord(position, seed));
  }
  return limitAnswer(pieces, "stop", maxTokens, behaviour);
}

/** Cuts pieces at `maxTokens`, reasoning tokens included; the finish reason is then `length`. */
export function limitAnswer(
  pieces: readonly string[],
  finishReason: FinishReason,
  maxTokens: number | undefined,
  behaviour: Behaviour,
): Answer {
  const limit = maxTokens ?? Number.POSITIVE_INFINITY;
  const reasoningTokens = Math.min(behaviour.reasoningTokens ?? 0, limit);
  const isTooLong = pieces.length > limit - reasoningTokens;
  const hidesReason = behaviour.kind === "malformed" && behaviour.fault === "no-finish-reason";
  return {
    pieces: isTooLong ? pieces.slice(0, limit - reasoningTokens) : pieces,
    finishReason: hidesReason ? null : isTooLong ? "length" : finishReason,
    reasoningTokens,
  };
}

function echo(said: string, behaviour: Behaviour): string {
  const words = withoutMarkers(said).slice(0, longestEcho).toWellFormed();
  const isSplit = behaviour.kind === "malformed" && behaviour.fault === "split-utf8";
  // A character can only be split where there is one of several bytes.
  return isSplit ? `Grüße, 你好 🙂 You said: ${words}` : `You said: ${words}`;
}
