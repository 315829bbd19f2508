import assert from "node:assert/strict";
import { Socket } from "node:net";
import type { InFlightRequest } from "../relay/in-flight/index.ts";
import type { RelayTest } from "./start-relay-test.ts";

/** A call for a stream. */
export interface StreamCall {
  readonly path: string;
  readonly key: string;
  readonly model: string;
  readonly body: object;
}

/**
 * Calls for a stream, takes of it until `isEnough` says so of all that came, and leaves. Returns what came, once the gateway has been told that its
 * caller left. No other stream of the model may be open.
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
  const left = toldOfLeaving(
    gateway.testApp.deps.relay.inFlight.list().find(({ parties }) => parties?.model === model),
  );
  await reader?.cancel();
  await left;
  return text;
}

/**
 * Resolves when the gateway has been told that the request's caller left. A connection that is destroyed tells that a turn later: what the provider sends until
 * then counts as taken.
 */
export function toldOfLeaving(relay: Pick<InFlightRequest, "socket"> | undefined): Promise<void> {
  const socket = relay?.socket;
  assert.ok(socket instanceof Socket);
  return new Promise((resolve) => socket.once("close", () => resolve()));
}
