import { text } from "node:stream/consumers";
import { isJsonObject } from "@one-api/providers/stub-kit/json-fields";
import { serveOnLoopback } from "./serve-on-loopback.ts";

interface PushedMessage {
  readonly title: string;
  readonly description: string;
  readonly content: string;
}

export interface StubMessagePusher {
  readonly address: string;
  readonly token: string;
  readonly messages: readonly PushedMessage[];
  /** False: it refuses messages. Initially true. */
  takes: boolean;
  close(): Promise<void>;
}

/** Starts a Message Pusher with one token, which its refusals repeat. */
export async function startMessagePusher(): Promise<StubMessagePusher> {
  const messages: PushedMessage[] = [];
  const token = "pusher-token";
  const { url, close } = await serveOnLoopback((request, response) => {
    void text(request).then((body) => {
      const sent: unknown = JSON.parse(body);
      const { token: given, title, description, content } = isJsonObject(sent) ? sent : {};
      const ok = stub.takes && given === token && request.method === "POST";
      if (ok) messages.push({ title: String(title), description: String(description), content: String(content) });
      const answer = { success: ok, message: ok ? "ok" : `no such token: ${String(given)}` };
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    });
  });
  const stub: StubMessagePusher = {
    address: `${url}/push/root`,
    token,
    messages,
    takes: true,
    close,
  };
  return stub;
}
