import { request } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";

const question = { model: "gpt-4o-mini", messages: [{ role: "user", content: "hello there" }] };

export function openRawChat(url: string, fields: object = {}): ClientRequest {
  const outgoing = request(`${url}/v1/chat/completions`, {
    method: "POST",
    agent: false,
    headers: { authorization: "Bearer sk-test", "content-type": "application/json" },
  });
  // A broken connection shows in the read; without a listener it would end the process.
  outgoing.on("error", () => undefined);
  outgoing.end(JSON.stringify({ ...question, ...fields }));
  return outgoing;
}

/** Returns the head of the answer. Rejects when the connection breaks before it. */
export function replyHead(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
}

export interface RawBody {
  chunks: Buffer[];
  text: string;
  /** False when the connection broke before the declared end. */
  isComplete: boolean;
}

async function readWhole(reply: IncomingMessage): Promise<RawBody> {
  const chunks: Buffer[] = [];
  reply.on("data", (chunk: Buffer) => chunks.push(chunk));
  reply.on("error", () => undefined);
  await new Promise((resolve) => reply.once("close", resolve));
  return { chunks, text: Buffer.concat(chunks).toString(), isComplete: reply.complete };
}

export async function rawChat(url: string, fields: object = {}): Promise<RawBody & { reply: IncomingMessage }> {
  const reply = await replyHead(openRawChat(url, fields));
  return { reply, ...(await readWhole(reply)) };
}

/** Reads a body until it contains a text; the rest stays unread and the connection open. */
export async function readUntil(reply: IncomingMessage, text: string): Promise<string> {
  let received = "";
  reply.setEncoding("utf8");
  while (!received.includes(text)) {
    received += await nextChunk(reply);
  }
  return received;
}

function nextChunk(reply: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    reply.once("data", resolve);
    reply.once("close", () => reject(new Error("the answer ended early")));
  });
}
