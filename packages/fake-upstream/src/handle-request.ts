import type { IncomingMessage } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import { BehaviourError, markedBehaviour } from "./parse-behaviour.ts";
import { checkKey, openAiErrorBody, refusalBody, refusalHeaders, RequestRefused } from "./refusal.ts";
import { type Exchange, headersDelayMs } from "./exchange.ts";
import { spokenApi } from "./answers/endpoints.ts";
import { isJsonObject, type JsonObject } from "./json-fields.ts";
import { promptText } from "./answers/prompt.ts";
import type { RequestRecord } from "./request-log.ts";
import { sendError, sendPage, sendReply } from "./send-reply.ts";
import type { UpstreamSettings } from "./upstream-settings.ts";

/** What the requests of one fake upstream share. */
export interface RequestContext {
  settings: UpstreamSettings;
  /** The behaviour for requests that bring no marker of their own. */
  behaviourFor: (record: RequestRecord) => Behaviour;
  onReceived: (record: RequestRecord) => void;
  onStream: (exchange: Exchange) => void;
}

/** Reads and answers one request; whatever goes wrong becomes an error answer. */
export async function handleRequest(
  request: IncomingMessage,
  exchange: Exchange,
  context: RequestContext,
): Promise<void> {
  const { record } = exchange;
  const bodyText = await readBody(request);
  if (bodyText === null) return;
  record.bodyText = bodyText;
  record.body = parsed(bodyText);
  record.receivedAtMs = Date.now();
  context.onReceived(record);
  try {
    await answer(exchange, context);
  } catch (error) {
    await sendFailure(exchange, error);
  }
}

async function answer(exchange: Exchange, context: RequestContext): Promise<void> {
  const { record, id } = exchange;
  const { settings } = context;
  const api = spokenApi(record);
  const endpoint = api.find(record.method, record.path);
  if (endpoint === undefined) {
    throw new RequestRefused(404, openAiErrorBody(`Invalid URL (${record.method} ${record.path})`));
  }
  const { headers } = record;
  checkKey(api.readKey(headers), settings.keys);
  const behaviour = markedBehaviour(promptText(record.body)) ?? context.behaviourFor(record);
  const delayMs = headersDelayMs(behaviour);
  if (delayMs > 0) await exchange.pause(delayMs);
  if (exchange.isClosed) return;
  if (behaviour.kind === "stall" && behaviour.afterChunks === undefined) return;
  if (behaviour.kind === "cut" && behaviour.at === "accept") return exchange.cut(behaviour.reset ?? false);
  if (behaviour.kind === "refuse") return sendRefusal(exchange, behaviour);
  const reply = endpoint({ id, path: record.path, body: jsonObjectOf(record), behaviour, settings, headers });
  if (reply.kind === "stream") context.onStream(exchange);
  await sendReply(exchange, reply, behaviour, api.writeError);
}

function sendRefusal(exchange: Exchange, behaviour: Extract<Behaviour, { kind: "refuse" }>): void {
  // The gateway in front of a provider answers with a page of its own.
  if (behaviour.status === 502 && behaviour.reason === undefined) return sendPage(exchange, 502, "502 Bad Gateway");
  const write = spokenApi(exchange.record).writeError;
  const body = write(behaviour.status, refusalBody(behaviour));
  sendError(exchange, behaviour.status, body, refusalHeaders(behaviour));
}

async function sendFailure(exchange: Exchange, error: unknown): Promise<void> {
  if (exchange.record.status !== null) return exchange.cut(false);
  const write = spokenApi(exchange.record).writeError;
  if (error instanceof RequestRefused) return sendError(exchange, error.status, write(error.status, error.body));
  if (error instanceof BehaviourError) return sendError(exchange, 400, write(400, openAiErrorBody(error.message)));
  const reason = error instanceof Error ? error.message : String(error);
  const body = openAiErrorBody(`The fake upstream failed: ${reason}`, { type: "server_error" });
  sendError(exchange, 500, write(500, body));
}

function jsonObjectOf(record: RequestRecord): JsonObject {
  if (record.method !== "POST" || record.path.startsWith("/upload/")) return {};
  if (isJsonObject(record.body)) return record.body;
  throw new RequestRefused(400, openAiErrorBody("We could not parse the JSON body of your request."));
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The whole request body as text, or null when the caller went away before its end. */
export function readBody(request: IncomingMessage): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(joined(chunks)));
    request.on("close", () => resolve(null));
    request.on("error", () => resolve(null));
  });
}

function joined(chunks: Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return "";
  return chunks.length === 1 ? first.toString() : Buffer.concat(chunks).toString();
}
