export interface ServerSentEvent {
  readonly name: string;
  /** Its `data` lines, joined by line feeds; empty for a comment. */
  readonly data: string;
}

/** Comment, which readers of events ignore (WHATWG HTML, "Server-sent events"). */
export const COMMENT = ": ping\n\n";

/** Reads one whole event (WHATWG HTML, "Server-sent events"). Ignores the fields `id` and `retry`. */
export function readServerSentEvent(event: Buffer): ServerSentEvent {
  const text = event.toString();
  // Fast path: nearly all events are one line of data.
  if (text.startsWith("data: ") && text.endsWith("\n\n") && !text.includes("\r")) {
    const end = text.length - 2;
    if (text.indexOf("\n") === end) return { name: "", data: text.slice(6, end) };
  }
  let name = "";
  const data: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === "data" || line.startsWith("data:")) data.push(valueOf(line, "data:"));
    else if (line.startsWith("event:")) name = valueOf(line, "event:");
  }
  return { name, data: data.join("\n") };
}

function valueOf(line: string, field: string): string {
  const start = line[field.length] === " " ? field.length + 1 : field.length;
  return line.slice(start);
}

export function writeServerSentEvent(name: string, data: string): string {
  return name === "" ? `data: ${data}\n\n` : `event: ${name}\ndata: ${data}\n\n`;
}
