import type { Envelope } from "@one-api/contract/envelope";
import { type ErrorCode, type ErrorValues, HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../core/app-error.ts";

interface Refusal {
  readonly status: number;
  readonly envelope: Envelope;
  readonly topLevel?: ErrorValues | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly unexpected?: boolean;
}

/** The envelope of a refusal; like every answer it carries `data`. `values` are what the message names. */
export function refusalEnvelope(message: string, code: ErrorCode, values?: ErrorValues): Envelope {
  const envelope: Envelope = { success: false, message, data: null, code };
  if (values !== undefined) envelope.values = values;
  return envelope;
}

const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [413, "body-too-big"],
  [415, "body-media-type"],
]);

function clientFault(error: unknown): { status: number; code: ErrorCode; message: string } | undefined {
  if (!(error instanceof Error) || !("statusCode" in error) || typeof error.statusCode !== "number") return undefined;
  const { statusCode: status } = error;
  const fastifyCode = "code" in error && typeof error.code === "string" ? error.code : "";
  const parseFault = error instanceof SyntaxError || fastifyCode === "FST_ERR_CTP_INVALID_JSON_BODY";
  if ((!fastifyCode.startsWith("FST_") && !parseFault) || status < 400 || status > 499) return undefined;
  if (parseFault) return { status, code: "body-not-json", message: "The body is not valid JSON." };
  const message = `${error.message.replace(/\.$/, "")}.`;
  return { status, code: CODE_OF_STATUS.get(status) ?? "invalid-input", message };
}

/** Databases come back within seconds: after a restart, or a failover. */
const RETRY_AFTER_SECONDS = 5;

function refusalOf(error: unknown): Refusal {
  if (error instanceof AppError) {
    const envelope = refusalEnvelope(error.message, error.code, error.values);
    if (error.field !== undefined) envelope.field = error.field;
    const { status, topLevel, retryAfterSeconds } = error;
    return { status, envelope, topLevel, retryAfterSeconds };
  }
  const fault = clientFault(error);
  if (fault !== undefined) {
    return { status: fault.status, envelope: refusalEnvelope(fault.message, fault.code) };
  }
  const code = error instanceof DatabaseUnavailableError ? "unavailable" : "internal";
  const message =
    code === "unavailable"
      ? "The database cannot be reached right now. Try again in a moment."
      : "Something went wrong on the server. Its log has the details under this request id.";
  const retryAfterSeconds = code === "unavailable" ? RETRY_AFTER_SECONDS : undefined;
  const envelope = refusalEnvelope(message, code);
  return { status: HTTP_STATUS_OF_ERROR[code], envelope, retryAfterSeconds, unexpected: true };
}

/** Answers any error as an envelope. Internal details go to the log only, with the request id. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.unexpected === true) request.log.error({ err: error }, "a call failed");
  if (refusal.retryAfterSeconds !== undefined) void reply.header("retry-after", String(refusal.retryAfterSeconds));
  void reply
    .code(refusal.status)
    .type("application/json; charset=utf-8")
    .send({ ...refusal.topLevel, ...refusal.envelope });
}

/** Answers a request for an unknown call of the control API. */
export function replyWithoutCall(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The path alone: a query may hold what should not be repeated.
  const [path = ""] = request.url.split("?");
  void reply.code(404).header("cache-control", "no-store");
  const { method } = request;
  return reply.send(refusalEnvelope(`There is no call ${method} ${path}.`, "not-found", { method, path }));
}
