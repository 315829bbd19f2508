import assert from "node:assert/strict";
import { Socket } from "node:net";
import type { InFlightRequest } from "../relay/in-flight/index.ts";
import type { RelayTest } from "./start-relay-test.ts";

export interface StreamCall {
  readonly path: string;
  readonly key: string;
  readonly model: string;
  readonly body: object;
}

/**
 * Reads a stream until `isEnough` is true for the received text, and disconnects. Returns the text once the
 * gateway has noticed.
 * No other stream of the model may be open.
 */
export async function leaveStream(
  gateway: RelayTest,
  { path, key, model, body }: StreamCall,
  isEnough: (text: string) => boolean,
): Promise<string> {
  const answer = await gateway.post(path, key, body);
  const reader = answer.body?.getReader();
  let text = "";
  while (!isEnough(text)) {
    const piece = await reader?.read();
    assert.ok(piece?.done === false, `The stream ended too soon: ${text}`);
    text += Buffer.from(piece.value).toString();
  }
  const disconnected = whenDisconnected(
    gateway.testApp.deps.relay.inFlight.list().find(({ parties }) => parties?.model === model),
  );
  await reader?.cancel();
  await disconnected;
  return text;
}

/**
 * Resolves when the gateway has noticed that the client disconnected. Bytes that the provider sends until
 * then count as delivered.
 */
export function whenDisconnected(relay: Pick<InFlightRequest, "socket"> | undefined): Promise<void> {
  const socket = relay?.socket;
  assert.ok(socket instanceof Socket);
  return new Promise((resolve) => socket.once("close", () => resolve()));
}
