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

const USAGE = Buffer.from('"usage"');
const FINISH = Buffer.from('"finish_reason"');
const DONE = Buffer.from("[DONE]");
const ERROR = Buffer.from('"error"');
/** MiniMax puts its errors here. */
const BASE_RESPONSE = Buffer.from('"base_resp"');

/** True when the bytes name a usage that is not null, so that the event must be read. Cheap: no JSON is built. */
export function mayCarryUsage(event: Buffer): boolean {
  return valueFollows(event, USAGE, 0x7b);
}

/** True when the bytes name a finish reason that is a text. */
export function mayCarryFinish(event: Buffer): boolean {
  return valueFollows(event, FINISH, 0x22);
}

/** True when the bytes may be the end mark or an error. */
export function mayCarryEndOrError(event: Buffer): boolean {
  return event.includes(DONE) || event.includes(ERROR) || event.includes(BASE_RESPONSE);
}

/** True when a `"name"` is followed by a colon and a value that starts with the byte, white space aside. */
function valueFollows(event: Buffer, name: Buffer, firstByte: number): boolean {
  for (let found = event.indexOf(name); found !== -1; found = event.indexOf(name, found + name.length)) {
    let at = found + name.length;
    while (event[at] === 0x20 || event[at] === 0x09 || event[at] === 0x0a || event[at] === 0x0d) at += 1;
    if (event[at] !== 0x3a) continue;
    at += 1;
    while (event[at] === 0x20 || event[at] === 0x09 || event[at] === 0x0a || event[at] === 0x0d) at += 1;
    if (event[at] === firstByte) return true;
  }
  return false;
}
