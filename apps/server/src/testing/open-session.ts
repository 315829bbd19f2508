import { once } from "node:events";
import { Agent } from "node:https";
import { connect } from "node:net";
import { recordOf } from "@one-api/providers/shared/json-fields";
import { type ClientOptions, WebSocket } from "ws";

export type SessionEvent = Readonly<Record<string, unknown>>;

export interface Session {
  readonly socket: WebSocket;
  readonly events: readonly SessionEvent[];
  send(event: SessionEvent): void;
  /** The first event from index `from` on that passes, received or future. Rejects if the session closes first. */
  next(test: string | ((event: SessionEvent) => boolean), from?: number): Promise<SessionEvent>;
  /** Sends a text and resolves with the end of its answer. */
  ask(text: string, response?: SessionEvent): Promise<SessionEvent>;
  closed(): Promise<number>;
  /** Close reason; empty before the close. */
  readonly reason: string;
}

/** Rejects with status and body of a refusal. */
export async function openSession(
  url: string,
  key: string,
  options: ClientOptions & { readonly model?: string; readonly protocols?: readonly string[] } = {},
): Promise<Session> {
  const { model = "gpt-realtime", protocols = [], ...rest } = options;
  const address = `${url.replace(/^http/, "ws")}/v1/realtime?model=${encodeURIComponent(model)}`;
  const headers = { ...(key !== "" && { authorization: `Bearer ${key}` }), ...rest.headers };
  return await connected(new WebSocket(address, [...protocols], { ...rest, headers }));
}

export const LIVE_PATH = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";

/** Opens a session of Google's Live API with a first message. Rejects if it is refused before that. */
export async function openLive(
  url: string,
  key: string,
  setup: SessionEvent | string = { model: "models/gemini-3.1-flash-live-preview" },
  path = `${LIVE_PATH}?key=${key}`,
): Promise<Session> {
  const session = await connected(new WebSocket(url.replace(/^http/, "ws") + path));
  session.socket.send(typeof setup === "string" ? setup : JSON.stringify({ setup }));
  return {
    ...session,
    get reason() {
      return session.reason;
    },
    ask(text) {
      const from = session.events.length;
      const turns = [{ role: "user", parts: [{ text }] }];
      session.send({ clientContent: { turns, turnComplete: true } });
      return session.next(isTurnEnd, from);
    },
  };
}

export function isTurnEnd(event: SessionEvent): boolean {
  return recordOf(event["serverContent"])["turnComplete"] === true;
}

async function connected(socket: WebSocket): Promise<Session> {
  const session = watch(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", (_request, response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (piece: string) => (text += piece));
      response.on("end", () => reject(new SessionRefused(response.statusCode ?? 0, text)));
    });
  });
  return session;
}

export class SessionRefused extends Error {
  readonly status: number;
  readonly error: SessionEvent;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
    this.error = recordOf(recordOf(JSON.parse(text))["error"]);
  }
}

function watch(socket: WebSocket): Session {
  const events: SessionEvent[] = [];
  const waiting = new Set<() => void>();
  let code: number | undefined;
  let said = "";
  const notify = (): void => {
    for (const look of waiting) look();
  };
  socket.on("message", (data) => {
    events.push(recordOf(JSON.parse(Buffer.isBuffer(data) ? data.toString() : "")));
    notify();
  });
  socket.on("close", (given, reason) => {
    code = given;
    said = reason.toString();
    notify();
  });
  socket.on("error", () => undefined);
  const session: Session = {
    socket,
    events,
    get reason() {
      return said;
    },
    send: (event) => socket.send(JSON.stringify(event)),
    next: (test, from = 0) =>
      new Promise((resolve, reject) => {
        const passes = typeof test === "string" ? (event: SessionEvent) => event["type"] === test : test;
        const look = (): void => {
          const found = events.slice(from).find(passes);
          if (found === undefined && code === undefined) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`closed with ${code} after ${JSON.stringify(events.at(-1))}`));
        };
        waiting.add(look);
        look();
      }),
    ask(text, response = { output_modalities: ["text"] }) {
      const from = events.length;
      const content = [{ type: "input_text", text }];
      session.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
      session.send({ type: "response.create", response });
      return session.next("response.done", from);
    },
    async closed() {
      if (code === undefined) await once(socket, "close");
      return code ?? 0;
    },
  };
  return session;
}

/** Opens plain connections for the official SDK, which accepts only https addresses. */
export class PlainAgent extends Agent {
  override createConnection({ port }: { readonly port?: number | string | null }): ReturnType<typeof connect> {
    return connect(Number(port), "127.0.0.1");
  }
}
