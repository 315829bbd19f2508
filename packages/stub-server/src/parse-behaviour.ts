import { type Behaviour, BehaviourError, checkBehaviour } from "@one-api/providers/stub-kit/behaviour";
import { MARKER_END, MARKER_START } from "@one-api/providers/stub-kit/markers";

/** Parses a behaviour. Throws BehaviourError that names the invalid field. */
export function parseBehaviour(value: unknown): Behaviour {
  checkBehaviour(value);
  return value;
}

/**
 * Parses the last marker of a text, such as `[[fake: {"kind":"refuse","status":429}]]`. Undefined without one. Throws BehaviourError for an
 * invalid marker.
 */
export function markedBehaviour(text: string): Behaviour | undefined {
  const start = text.lastIndexOf(MARKER_START);
  if (start === -1) return undefined;
  const end = text.indexOf(MARKER_END, start);
  if (end === -1) throw new BehaviourError(`the marker must end with ${MARKER_END}`);
  return parseBehaviour(parseMarker(text.slice(start + MARKER_START.length, end)));
}

function parseMarker(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BehaviourError(`the marker must hold JSON, not ${json.trim()}`);
  }
}
