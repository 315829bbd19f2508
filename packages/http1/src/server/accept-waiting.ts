import type { Server } from "node:net";

/** Longest time for connections that wait at the port, in ms. */
const ACCEPT_MS = 1_000;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Accepts the connections that wait at the port, since closing it resets them. Node accepts one in each turn of the
 * event loop.
 */
export async function acceptWaiting(server: Server): Promise<void> {
  // From here on, every turn looks at the port.
  await nextTurn();
  let isAccepted = true;
  const note = () => {
    isAccepted = true;
  };
  server.on("connection", note);
  const untilMs = performance.now() + ACCEPT_MS;
  while (isAccepted && performance.now() < untilMs) {
    isAccepted = false;
    await nextTurn();
  }
  server.off("connection", note);
}
