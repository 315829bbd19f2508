import type { Behaviour } from "./behaviour.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./reply.ts";
import { sendJson } from "./send-json.ts";
import { sendPage } from "./send-page.ts";
import { sendStream } from "./send-stream.ts";

/** Sends the answer of an endpoint as the behaviour wants it. */
export async function sendReply(exchange: Exchange, reply: Reply, behaviour: Behaviour): Promise<void> {
  const fault = behaviour.kind === "malformed" ? behaviour.fault : undefined;
  if (fault === "html-body") return sendPage(exchange, 200, "Please sign in");
  if (fault === "empty-body") {
    exchange.writeHead(200, { "content-length": 0 });
    return exchange.end();
  }
  if (reply.kind === "json") return sendJson(exchange, reply, behaviour);
  return fault === "json-for-stream"
    ? sendJson(exchange, reply.toJson(), behaviour)
    : sendStream(exchange, reply, behaviour);
}
