import type { IncomingMessage } from "node:http";
import { type Behaviour, BehaviourError } from "@one-api/providers/stub-kit/behaviour";
import { markedBehaviour } from "./parse-behaviour.ts";
import {
  bearerKey,
  checkKey,
  openAiErrorBody,
  type OpenAiErrorBody,
  refusalBody,
  refusalHeaders,
  refuse,
  RequestRefused,
  type WriteErrorBody,
} from "@one-api/providers/stub-kit/refusal";
import { type Exchange, headersDelayMs } from "./exchange.ts";
import { findRoute, type FoundRoute } from "@one-api/providers/stub-kit/routes";
import type { StubApi } from "@one-api/providers/stub-kit/stub";
import { stubOf } from "./stubs.ts";
import { isJsonObject, type JsonObject } from "@one-api/providers/stub-kit/json-fields";
import { promptText } from "@one-api/providers/stub-kit/prompt";
import { readForm } from "./read-form.ts";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import { sendError, sendPage, sendReply } from "./send-reply.ts";
import type { StubSettings } from "@one-api/providers/stub-kit/settings";

export interface RequestContext {
  settings: StubSettings;
  /** Vendor at the base address; empty for none. */
  root: string;
  behaviourFor: (record: RequestRecord) => Behaviour;
  onReceived: (record: RequestRecord) => void;
  onStream: (exchange: Exchange) => void;
}

const NORMAL: Behaviour = { kind: "normal" };

/** Reads and answers one request; any failure becomes an error answer. */
export async function handleRequest(
  request: IncomingMessage,
  exchange: Exchange,
  context: RequestContext,
): Promise<void> {
  const { record } = exchange;
  const bytes = await readBody(request);
  if (bytes === null) return;
  record.bodyText = bytes.toString();
  const formType = formTypeOf(record);
  record.body = formType === undefined ? parsed(record.bodyText) : await readForm(bytes, formType);
  record.receivedAtMs = Date.now();
  context.onReceived(record);
  try {
    await answer(exchange, context);
  } catch (error) {
    await sendFailure(exchange, error);
  }
}

/** Called API. Without a route it is the vendor's first one, whose errors the client can read. */
interface CalledApi {
  readonly api: StubApi | undefined;
  readonly route: FoundRoute | undefined;
}

function calledApi({ vendor, method, path }: RequestRecord): CalledApi {
  const apis = stubOf(vendor)?.apis ?? [];
  for (const api of apis) {
    const route = findRoute(api.routes, method, path);
    if (route !== undefined) return { api, route };
  }
  return { api: apis[0], route: undefined };
}

async function answer(exchange: Exchange, context: RequestContext): Promise<void> {
  const { record, id } = exchange;
  const { settings } = context;
  const { api, route } = calledApi(record);
  if (api === undefined) {
    const message = `Invalid URL (${record.method} ${record.fullPath}): its first segment must be the name of a channel type, such as /openai.`;
    refuse(message, { status: 404 });
  }
  if (route === undefined) refuse(`Invalid URL (${record.method} ${record.path})`, { status: 404 });
  const { headers } = record;
  const { readKey = () => bearerKey(headers.authorization) } = api;
  checkKey(await readKey(headers, record), settings.keys);
  const behaviour =
    api.isAside === true ? NORMAL : (markedBehaviour(promptText(record.body)) ?? context.behaviourFor(record));
  const delayMs = headersDelayMs(behaviour);
  if (delayMs > 0) await exchange.pause(delayMs);
  if (exchange.isClosed) return;
  if (behaviour.kind === "stall" && behaviour.afterChunks === undefined) return;
  if (behaviour.kind === "cut" && behaviour.at === "accept") return exchange.cut(behaviour.reset ?? false);
  if (behaviour.kind === "refuse") return sendRefusal(exchange, behaviour);
  const reply = route.endpoint({
    id,
    path: record.path,
    params: route.params,
    base: `http://${headers.host}${record.fullPath.slice(0, record.fullPath.length - record.path.length)}`,
    query: record.query,
    body: jsonObjectOf(record, api),
    text: record.bodyText,
    behaviour,
    settings,
    headers,
  });
  if (reply.kind === "stream") context.onStream(exchange);
  await sendReply(exchange, reply, behaviour, errorWriterOf(api));
}

function sendRefusal(exchange: Exchange, behaviour: Extract<Behaviour, { kind: "refuse" }>): void {
  // A gateway in front of a provider answers with its own page.
  if (behaviour.status === 502 && behaviour.reason === undefined) return sendPage(exchange, 502, "502 Bad Gateway");
  sendRefused(exchange, behaviour.status, refusalBody(behaviour), refusalHeaders(behaviour));
}

async function sendFailure(exchange: Exchange, error: unknown): Promise<void> {
  if (exchange.record.status !== null) return exchange.cut(false);
  if (error instanceof RequestRefused) return sendRefused(exchange, error.status, error.body);
  if (error instanceof BehaviourError) return sendRefused(exchange, 400, openAiErrorBody(error.message));
  const reason = error instanceof Error ? error.message : String(error);
  const body = openAiErrorBody(`The stub server failed: ${reason}`, { type: "server_error" });
  sendRefused(exchange, 500, body);
}

function sendRefused(
  exchange: Exchange,
  status: number,
  body: OpenAiErrorBody,
  headers: Record<string, string> = {},
): void {
  const { api } = calledApi(exchange.record);
  sendError(exchange, api?.errorStatus ?? status, errorWriterOf(api)(status, body), {
    ...headers,
    ...api?.errorHeaders?.(status, body),
  });
}

function errorWriterOf(api: StubApi | undefined): WriteErrorBody {
  return api?.writeError ?? ((_status, body) => body);
}

function jsonObjectOf(record: RequestRecord, api: StubApi): JsonObject {
  if (isJsonObject(record.body)) return record.body;
  if (record.method !== "POST" || api.takesBytes === true || record.bodyText === "") return {};
  return refuse("We could not parse the JSON body of your request.");
}

function formTypeOf({ headers }: RequestRecord): string | undefined {
  const type = headers["content-type"] ?? "";
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/.test(type) ? type : undefined;
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the whole request body, or null after a disconnect. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("close", () => resolve(null));
    request.on("error", () => resolve(null));
  });
}
