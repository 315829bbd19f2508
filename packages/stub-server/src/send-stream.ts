import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import { chunkDelayMs, type Exchange } from "./exchange.ts";
import { EVENTS, type StreamEvent, type StreamReply } from "@one-api/providers/stub-kit/call";
import { addedHeaders, padJson, writeBytes, writeSplit } from "./faults.ts";

type Interruption = Extract<Behaviour, { kind: "stall" | "cut" | "error-in-stream" }>;

/** Sends a stream with the pace and the faults of the behaviour; waits while the client reads too slowly. */
export async function sendStream(
  exchange: Exchange,
  reply: StreamReply,
  behaviour: Behaviour,
  errorJson: string,
): Promise<void> {
  exchange.writeHead(200, {
    "content-type": (reply.framing ?? EVENTS).contentType,
    "cache-control": "no-cache",
    ...addedHeaders(behaviour),
  });
  const interruption = interruptionOf(behaviour);
  const lastPiece = interruption === undefined ? undefined : (interruption.afterChunks ?? 1);
  if (lastPiece !== 0) await sendEvents(exchange, reply, behaviour, lastPiece);
  if (exchange.isClosed) return;
  if (interruption !== undefined) return interrupt(exchange, interruption, reply, errorJson);
  if (behaviour.kind === "malformed" && behaviour.fault === "no-done") exchange.end();
  else if (reply.ending === undefined) exchange.end();
  else if (behaviour.kind === "malformed" && behaviour.fault === "byte-by-byte") {
    await writeBytes(exchange, encodeEvent(reply.ending, reply, behaviour));
    exchange.end();
  } else exchange.end(encodeEvent(reply.ending, reply, behaviour));
}

async function write(exchange: Exchange, event: string | Buffer, behaviour: Behaviour): Promise<void> {
  const fault = behaviour.kind === "malformed" ? behaviour.fault : undefined;
  if (fault === "split-utf8") await writeSplit(exchange, event);
  else if (fault === "byte-by-byte") await writeBytes(exchange, event);
  else if (!exchange.write(event)) await exchange.drained();
}

async function sendEvents(
  exchange: Exchange,
  reply: StreamReply,
  behaviour: Behaviour,
  lastPiece: number | undefined,
): Promise<void> {
  const delayMs = chunkDelayMs(behaviour);
  let pieces = 0;
  for (const event of reply.events) {
    const isPiece = event.part === "piece";
    if (lastPiece !== undefined && (pieces === lastPiece || event.part === "finish" || event.part === "usage")) return;
    if (isPiece && pieces > 0 && delayMs > 0) await exchange.pause(delayMs);
    if (exchange.isClosed) return;
    const text = encodeEvent({ ...event, data: faultyData(event, pieces, behaviour) }, reply, behaviour);
    exchange.countTokens(event.tokens);
    await write(exchange, text, behaviour);
    if (isPiece) pieces += 1;
  }
}

async function interrupt(
  exchange: Exchange,
  behaviour: Interruption,
  reply: StreamReply,
  errorJson: string,
): Promise<void> {
  switch (behaviour.kind) {
    case "stall":
      exchange.flushHead();
      return;
    case "cut":
      exchange.flushHead();
      await exchange.cut(behaviour.reset ?? false);
      return;
    case "error-in-stream": {
      const named = behaviour.form === "data-only" ? {} : { name: "error" };
      exchange.end(encodeEvent({ data: errorJson, ...named }, reply, behaviour));
    }
  }
}

function interruptionOf(behaviour: Behaviour): Interruption | undefined {
  const { kind } = behaviour;
  return kind === "stall" || kind === "cut" || kind === "error-in-stream" ? behaviour : undefined;
}

/** Encodes an event in the reply's framing, with the behaviour's line ends. */
function encodeEvent(
  event: Pick<StreamEvent, "data" | "name">,
  { framing = EVENTS }: StreamReply,
  behaviour: Behaviour,
): string | Buffer {
  return framing.encode(event, ...lineEnds(behaviour));
}

function lineEnds(behaviour: Behaviour): readonly [string, string] {
  switch (behaviour.kind === "malformed" ? behaviour.fault : undefined) {
    case "crlf":
      return ["\r\n", "\r\n\r\n"];
    case "cr-only":
      return ["\r", "\r\r"];
    case "no-blank-line":
      return ["\n", "\n"];
    default:
      return ["\n", "\n\n"];
  }
}

/** Returns the JSON of an event, made invalid where the behaviour names this piece: it follows `piecesBefore` valid ones. */
function faultyData(event: StreamEvent, piecesBefore: number, behaviour: Behaviour): string {
  const { data, part } = event;
  if (behaviour.kind !== "malformed" || part !== "piece" || piecesBefore !== (behaviour.afterChunks ?? 1)) return data;
  if (behaviour.fault === "bad-json") return data.slice(0, data.length / 2);
  return behaviour.fault === "long-line" ? padJson(data, behaviour.lineMegabytes ?? 8) : data;
}
