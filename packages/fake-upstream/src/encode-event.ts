import type { Behaviour } from "./behaviour.ts";
import { padJson } from "./pad-json.ts";
import type { StreamEvent } from "./reply.ts";

/** Writes the data of an event as a server-sent event, with the line ends of the behaviour. */
export function encodeEvent(data: string, behaviour: Behaviour, eventName?: string): string {
  if (behaviour.kind !== "malformed") {
    return eventName === undefined ? `data: ${data}\n\n` : `event: ${eventName}\ndata: ${data}\n\n`;
  }
  switch (behaviour.fault) {
    case "crlf":
      return `data: ${data}\r\n\r\n`;
    case "cr-only":
      return `data: ${data}\r\r`;
    case "no-blank-line":
      return `data: ${data}\n`;
    default:
      return `data: ${data}\n\n`;
  }
}

/** The JSON of an event, spoilt when the behaviour spoils the piece that follows `piecesBefore` sound ones. */
export function faultyData(event: StreamEvent, piecesBefore: number, behaviour: Behaviour): string {
  const { data, part } = event;
  if (behaviour.kind !== "malformed" || part !== "piece" || piecesBefore !== (behaviour.afterChunks ?? 1)) return data;
  if (behaviour.fault === "bad-json") return data.slice(0, data.length / 2);
  return behaviour.fault === "long-line" ? padJson(data, behaviour.lineMegabytes ?? 8) : data;
}
