import type { Behaviour } from "./behaviour.ts";
import { BehaviourError } from "./field-reader.ts";
import { parseBehaviour } from "./parse-behaviour.ts";

const opening = "[[fake:";
const closing = "]]";

/** The text without its `[[fake: …]]` markers. */
export function withoutMarkers(text: string): string {
  if (!text.includes(opening)) return text;
  let rest = text;
  for (let start = rest.indexOf(opening); start !== -1; start = rest.indexOf(opening)) {
    const end = rest.indexOf(closing, start);
    rest = rest.slice(0, start) + (end === -1 ? "" : rest.slice(end + closing.length));
  }
  return rest.trim();
}

/**
 * The behaviour that a text asks for with a marker such as `[[fake: {"kind":"refuse","status":429}]]`; the last one
 * counts. Undefined when there is none. Throws BehaviourError when the marker cannot be understood.
 */
export function markedBehaviour(text: string): Behaviour | undefined {
  const start = text.lastIndexOf(opening);
  if (start === -1) return undefined;
  const end = text.indexOf(closing, start);
  if (end === -1) throw new BehaviourError(`the marker must end with ${closing}`);
  return parseBehaviour(parseMarker(text.slice(start + opening.length, end)));
}

function parseMarker(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BehaviourError(`the marker must hold JSON, not ${json.trim()}`);
  }
}
