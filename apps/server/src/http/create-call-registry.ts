import { Readable } from "node:stream";
import { type Call, nothing, type Schema } from "@one-api/contract/call";
import { hasScope, scopeOf } from "@one-api/contract/accounts/management-key-scopes";
import { type Access, mayAccess } from "@one-api/contract/accounts/roles";
import { z } from "zod";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Actor } from "../core/actor.ts";
import { AppError } from "../core/app-error.ts";
import type { CallContext } from "../core/call-context.ts";
import type { CallHandler, CallInput, CallRegistry, Download } from "../core/call-registry.ts";
import { answerOnce, readIdempotencyKey } from "../core/idempotency.ts";
import type { ClientAddress } from "../platform/requests/client-address.ts";
import type { OptionStore } from "../core/option-store.ts";
import {
  type Authenticate,
  browserCookieOf,
  credentialsOf,
  deviceCookieOf,
  sessionCookieOf,
  stepCookieOf,
} from "./credentials.ts";
import { callSchema, type CallSchema, downloadSchema } from "./call-schema.ts";
import { readInput } from "./read-input.ts";
import { createRefuseUnknownNames } from "./refuse-unknown-names.ts";
import { replyWithoutCall } from "./reply-with-error.ts";
import { refuseForeignOrigin } from "./same-origin.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Role that the route requires; a route of the control API without it stops the start. */
    access?: Access;
  }
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

export interface CallRegistryDeps extends Pick<CallContext, "database" | "clock" | "secrets" | "changes" | "logStore"> {
  readonly authenticate: Authenticate;
  readonly options: OptionStore;
  readonly clientAddress: ClientAddress;
}

export const CONTROL_PREFIX = "/api";

/**
 * Registers a route for each call, under the prefix of the control API. HEAD is answered like GET, without its side
 * effects.
 */
export function createCallRegistry(fastify: FastifyInstance, deps: CallRegistryDeps): CallRegistry {
  fastify.decorateRequest("actor", undefined);
  // Input is read and data checked around the handler, with the types of the call; Fastify keeps the schemas for the documentation.
  fastify.setValidatorCompiler(() => () => true);
  fastify.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  const route = (
    call: Call,
    schema: CallSchema,
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
    more: Pick<RouteOptions, "compress"> = {},
  ) => {
    const refuseUnknownNames = createRefuseUnknownNames(call);
    fastify.route({
      ...more,
      method: call.method,
      url: pathUnderPrefix(call.path),
      config: { access: call.access },
      ...(call.mostBytes === undefined ? {} : { bodyLimit: call.mostBytes }),
      schema,
      onRequest: (request) => admit(call, request, deps),
      handler(request, reply) {
        if (namesNoRow(call, request)) return replyWithoutCall(request, reply);
        if (!isOfConsole(request)) refuseUnknownNames(request);
        return request.method === "HEAD" && call.changesState ? reply.send(noBody()) : handler(request, reply);
      },
    });
  };
  return {
    register(call, handler) {
      route(call, callSchema(call), (request, reply) => answerCall(call, handler, request, reply, deps));
    },
    registerDownload(call, handler) {
      const schema = downloadSchema(call, FILE_TYPES);
      const send = async (request: FastifyRequest, reply: FastifyReply) =>
        sendDownload(await handler(inputOf(call, request, reply, deps)), reply);
      // Compression would delay the beginning of a file until its buffer is full: some seconds of a log.
      route(call, schema, send, { compress: false });
    },
  };
}

/** During an update, the console of a later release sends names that this server does not know yet. */
function isOfConsole({ headers }: FastifyRequest): boolean {
  return headers["sec-fetch-site"] === "same-origin";
}

function pathUnderPrefix(path: string): string {
  if (!path.startsWith(`${CONTROL_PREFIX}/`)) throw new Error(`The call ${path} is not under ${CONTROL_PREFIX}.`);
  return path.slice(CONTROL_PREFIX.length);
}

/**
 * True for a word in place of a numeric id: such a path does not exist, so the answer is 404 and not a malformed id.
 */
function namesNoRow(call: Call, { params }: FastifyRequest): boolean {
  const { id } = idInPath.parse(params ?? {});
  return id !== undefined && /^[a-z_]/i.test(id) && !call.params.safeParse(params).success;
}

const idInPath = z.looseObject({ id: z.string().optional() });

/** Lets the request in or refuses it, before its body is read. */
async function admit(call: Call, request: FastifyRequest, deps: CallRegistryDeps): Promise<void> {
  if (call.changesState) refuseForeignOrigin(request, deps.options.text("ServerAddress"));
  const address = plainAddress(deps.clientAddress(request.raw));
  request.actor = actorFor(call, await deps.authenticate(credentialsOf(request), address));
  if (mayAccess(call.access, request.actor?.role)) return;
  if (request.actor === undefined) throw new AppError("not-logged-in", "Log in first.");
  if (request.actor.lacksSecondFactor === true)
    throw new AppError(
      "second-factor-missing",
      "Administrators need a second factor here. Set one up in your settings first.",
    );
  throw new AppError("not-allowed", "Your role does not allow this.");
}

/** Returns the caller. A management key counts as a visitor for open calls outside its scopes. */
function actorFor(call: Call, actor: Actor | undefined): Actor | undefined {
  if (actor?.key === undefined) return actor;
  const needed = scopeOf(call);
  if ("scope" in needed && hasScope(actor.key.scopes, needed.scope)) return actor;
  if (call.access === "anyone") return undefined;
  if ("scope" in needed) {
    const message = `This call needs a management key with the scope ${needed.scope}. Create one that has it.`;
    throw new AppError("management-key-scope", message, { values: { scope: needed.scope } });
  }
  const message = `No management key may make this call: ${needed.reason}. Use the console or a system access token.`;
  throw new AppError("management-key-call", message);
}

async function answerCall<C extends Call>(
  call: C,
  handler: CallHandler<C>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CallRegistryDeps,
): Promise<Record<string, unknown>> {
  let message = "";
  const setMessage = (text: string) => {
    message = text;
  };
  const input = { ...inputOf(call, request, reply, deps), setMessage };
  const result = await resultOf(call, handler, input, reply);
  // Fields that the schema does not name are never sent.
  const data: unknown = z.parse(call.data, result);
  return { ...topLevelFields(call, data), success: true, message, data };
}

async function resultOf<C extends Call>(
  call: C,
  handler: CallHandler<C>,
  input: CallInput<C>,
  reply: FastifyReply,
): Promise<unknown> {
  const header = call.takesIdempotencyKey ? input.header("idempotency-key") : undefined;
  if (header === undefined) return handler(input);
  const { params, query, body } = input;
  const keyed = { key: readIdempotencyKey(header), request: [call.method, call.path, params, query, body] };
  const { data, isRepeated } = await answerOnce(input.context, keyed, (context) => handler({ ...input, context }));
  if (isRepeated) void reply.header("Idempotency-Replayed", "true");
  return data;
}

function inputOf<C extends Call>(
  call: C,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: CallRegistryDeps,
): Omit<CallInput<C>, "setMessage"> {
  const { database, clock, secrets, changes, logStore } = deps;
  return {
    params: readInput<C["params"]>(call.params, partOf(call.params, request.params)),
    query: readInput<C["query"]>(call.query, partOf(call.query, request.query)),
    body: readInput<C["body"]>(call.body, partOf(call.body, request.body)),
    context: {
      actor: request.actor,
      address: plainAddress(deps.clientAddress(request.raw)),
      requestId: request.id,
      database,
      logStore,
      clock,
      secrets,
      changes,
      signal: signalOf(request, reply),
    },
    cookie: sessionCookieOf(request, reply),
    browserCookie: browserCookieOf(request, reply),
    stepCookie: stepCookieOf(request, reply),
    deviceCookie: deviceCookieOf(request, reply),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    setTotal: (total) => void reply.header(TOTAL_COUNT_HEADER, String(total)),
  };
}

/**
 * Returns a signal that is aborted when the client closes its side of the connection before the answer was sent. A half-closed connection looks the
 * same.
 */
function signalOf(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { socket } = request.raw;
  const abort = () => controller.abort();
  socket.once("end", abort).once("close", abort);
  const forget = () => void socket.off("end", abort).off("close", abort);
  reply.raw.once("finish", forget);
  return controller.signal;
}

/** Ignores parts that the call does not take. */
function partOf(schema: Schema, value: unknown): unknown {
  return schema === nothing ? undefined : value;
}

function topLevelFields(call: Call, data: unknown): Record<string, unknown> {
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => call.repeatedAtTopLevel.includes(name)));
}

/** The address in its plain form: IPv4 written as IPv6 (`::ffff:192.0.2.1`) becomes IPv4, a zone id is dropped. */
function plainAddress(address: string): string {
  const withoutZone = address.split("%")[0] ?? address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone);
  return mapped?.[1] ?? withoutZone;
}

const FILE_TYPES: readonly string[] = ["text/csv", "application/x-ndjson"];
/** A reader that receives nothing of a file for this time has disconnected unnoticed, in ms. */
const STALLED_MS = 60_000;
const AHEAD_BYTES = 64 * 1024;

function sendDownload({ contentType, fileName, pieces }: Download, reply: FastifyReply): FastifyReply {
  const { socket } = reply.raw;
  reply.raw.setTimeout(STALLED_MS, () => socket?.destroy());
  return reply
    .type(contentType)
    .header("content-disposition", `attachment; filename="${fileName}"`)
    .send(
      reply.request.method === "HEAD"
        ? noBody()
        : Readable.from(pieces, { objectMode: false, highWaterMark: AHEAD_BYTES }),
    );
}

function noBody(): Readable {
  return Readable.from([]);
}
