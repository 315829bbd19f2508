import type { Exchange } from "./exchange.ts";

const filler = "x".repeat(16_384);

/** Sends the beginning of a JSON document that never ends, as fast as the caller reads. */
export async function sendEndlessBody(exchange: Exchange): Promise<void> {
  exchange.writeHead(200, { "content-type": "application/json" });
  exchange.write('{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"');
  while (!exchange.isClosed) {
    if (!exchange.write(filler)) await exchange.drained();
  }
}
