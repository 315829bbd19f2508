/** What the relay looks at in an event of an OpenAI stream. */
export interface EventFacts {
  readonly kind: "done" | "data" | "comment";
  /** The JSON text of the data; empty for the rest. */
  readonly data: string;
}

/** Reads one event's `data` lines, joined as the standard says. */
export function readEvent(event: Buffer): EventFacts {
  const lines = event.toString().split(/\r\n|\n|\r/);
  const data = lines
    .filter((line) => line === "data" || line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""))
    .join("\n");
  if (data.trim() === "[DONE]") return { kind: "done", data: "" };
  return data === "" ? { kind: "comment", data: "" } : { kind: "data", data };
}

/** A usage that is not null, the end mark, an error (MiniMax: `base_resp`), or a finish reason that is a text. */
const REMARKABLE = /"usage"\s*:\s*\{|\[DONE\]|"error"|"base_resp"|"finish_reason"\s*:\s*"/;
const FINISH = /"finish_reason"\s*:\s*"/;

/**
 * False when nothing in the events needs reading: they are plain pieces of the answer. Cheap, no JSON is built: one search over the bytes, a
 * letter each, of which all that is looked for has one.
 */
export function isRemarkable(events: Buffer): boolean {
  return REMARKABLE.test(events.toString("latin1"));
}

/** True when the event names a finish reason that is a text. */
export function carriesFinish(event: Buffer): boolean {
  return FINISH.test(event.toString("latin1"));
}
