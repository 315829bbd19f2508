import { LOG_TYPE, type LogResult } from "@one-api/contract/logs/log";
import { nowSeconds } from "../../platform/clock.ts";
import { RESULT_OF_FAILURE, type UsageDetail, writeDetail } from "../../features/logs/index.ts";
import type { FreeLogRow, LogRow } from "@one-api/ledger/ledger";
import type { InFlightRequest } from "../in-flight/index.ts";
import { RelayError, UpstreamFailedError } from "../errors/index.ts";
import type { EndedRequest } from "../telemetry/index.ts";
import { CallerGoneError, type PassthroughRequest } from "./forward.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

export interface PassthroughRow {
  readonly model: string;
  readonly content: string;
  readonly channelId: number;
}

export async function logPassthrough<Taken>(
  services: PassthroughServices,
  call: PassthroughRequest,
  row: PassthroughRow,
  run: (answered: (status: number) => void) => Promise<Taken>,
): Promise<Taken> {
  const at = nowSeconds(services.clock);
  // `forward` tracks the rest of the request.
  const remove = services.inFlight.add(UNTOUCHED);
  let status = 0;
  let firstByteMs = 0;
  const elapsedMs = () => Math.max(1, Math.round(services.clock.monotonicMs() - call.startedMs));
  const outcome: { result: LogResult; end: string } = { result: "ok", end: "complete" };
  /** The error is answered, and described there. */
  let isAnswered = false;
  try {
    const taken = await run((answered) => {
      status = answered;
      firstByteMs = elapsedMs();
    });
    outcome.result = resultOf(status);
    return taken;
  } catch (error) {
    Object.assign(outcome, endOf(error, status));
    isAnswered = !(error instanceof CallerGoneError);
    throw error;
  } finally {
    const durationMs = elapsedMs();
    const attempt = { channel: row.channelId, status, failure: outcome.end === "complete" ? "" : outcome.end };
    const detail: UsageDetail = {
      end: outcome.end,
      upstream_model: "",
      group: "",
      attempts: [{ ...attempt, duration_ms: durationMs, choice: undefined }],
    };
    const columns = {
      ...NOTHING_USED,
      model_name: row.model,
      channel_id: row.channelId,
      first_byte_ms: firstByteMs,
      status_code: status,
    };
    await write(services, call, {
      ...columns,
      content: row.content,
      created_at: at,
      elapsed_time: durationMs,
      result: outcome.result,
      detail: writeDetail(detail, columns),
    });
    if (services.telemetry.isOn && !isAnswered) {
      const times = { elapsedMs: durationMs, firstByteMs };
      services.telemetry.ended(
        toEndedRequest(call, row, { ...outcome, ...times, statusCode: status, attempts: detail.attempts }),
      );
    }
    remove();
  }
}

const NOTHING_USED = { prompt_tokens: 0, cached_tokens: 0, completion_tokens: 0, cost: 0, is_stream: 0 } as const;

type LogFields = Pick<
  LogRow,
  | "content"
  | "prompt_tokens"
  | "cached_tokens"
  | "completion_tokens"
  | "cost"
  | "is_stream"
  | "model_name"
  | "channel_id"
  | "created_at"
  | "elapsed_time"
  | "first_byte_ms"
  | "result"
  | "status_code"
  | "detail"
>;

/** Work that a stopping server waits for and never ends. */
export const UNTOUCHED: InFlightRequest = {
  socket: undefined,
  halfClosed: () => undefined,
  checkpoint: () => undefined,
  endIfStalled: () => undefined,
  parties: undefined,
  end: () => undefined,
};

async function write(
  services: PassthroughServices,
  { caller, requestId }: PassthroughRequest,
  fields: LogFields,
): Promise<void> {
  const { log } = services;
  if (!services.isLogged()) return;
  const { userId, username, tokenId, tokenName } = caller;
  const who = { user_id: userId, username, token_id: tokenId, token_name: tokenName };
  const row: FreeLogRow = { ...fields, ...who, type: LOG_TYPE.consumption, request_id: requestId };
  await services.writeLogs([row]).catch((error: unknown) => {
    log.error({ err: error, requestId }, "a request that was passed on could not be logged");
  });
}

type PassthroughEnd = Pick<EndedRequest, "result" | "end" | "statusCode" | "elapsedMs" | "firstByteMs" | "attempts">;

function toEndedRequest(call: PassthroughRequest, row: PassthroughRow, end: PassthroughEnd): EndedRequest {
  const { caller, requestId, request, dialect, startedMs } = call;
  return {
    ...end,
    arrival: { requestId, headers: request.headers, dialect },
    caller,
    parsed: { endpoint: "passthrough", model: row.model, stream: false },
    route: { id: row.channelId, upstreamModel: "" },
    trace: undefined,
    limited: "",
    startedMs,
    gatewayMs: undefined,
    usage: undefined,
    charge: 0,
  };
}

function resultOf(status: number): LogResult {
  if (status === 429) return "provider-limited";
  if (status >= 500) return "provider-failed";
  return status >= 400 ? "provider-refused" : "ok";
}

function endOf(error: unknown, status: number): { result: LogResult; end: string } {
  if (error instanceof CallerGoneError) return { result: "caller-gone", end: "caller-gone" };
  if (error instanceof UpstreamFailedError)
    return { result: status > 0 ? "cut" : RESULT_OF_FAILURE[error.end], end: error.end };
  const end = error instanceof RelayError ? (error.code ?? "ended") : "internal";
  return { result: status > 0 ? "cut" : "gateway-failed", end };
}
