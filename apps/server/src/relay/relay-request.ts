import type { ServerResponse } from "node:http";
import { nowSeconds } from "../core/clock.ts";
import type { RelayAsk } from "./body/read-ask.ts";
import type { Caller } from "./callers/caller-source.ts";
import type { Admission } from "./callers/token-limiter.ts";
import { findRoutes, type Route } from "./channels/pick-channel.ts";
import { guessTokens } from "./count-usage.ts";
import { moderatePrompt } from "./moderate-prompt.ts";
import { priceModel, type Price } from "./pricing/price-model.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import type { Arrival, RelayJob } from "./relay-job.ts";
import { type Reserved, reserveJob, type ReserveRequest } from "./reserve-job.ts";
import { sendAnswer, sendStream } from "./send-reply.ts";
import { serveJob, UnservedError } from "./serve-job.ts";
import { type JobEnd, settleJob, settleSurely } from "./settle-job.ts";
import { RESULT_OF_FAILURE } from "./upstream/failure-answer.ts";

/** An authenticated request whose body has been read. */
export interface RelayRequest {
  readonly requestId: string;
  readonly caller: Caller;
  /** Set when an administrator named a channel behind the key. */
  readonly pinnedChannel: number | undefined;
  readonly ask: RelayAsk;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
}

/**
 * The whole story of a relayed request: admit, reserve, attempt, send, settle. Resolves when the answer is sent and booked. Throws
 * RelayError when the gateway refuses, UnservedError when no provider answered; whatever happens, the reservation is settled exactly once.
 */
export async function relayRequest(deps: RelayDependencies, request: RelayRequest): Promise<void> {
  const { caller, ask } = request;
  if (caller.models !== undefined && !caller.models.has(ask.model)) throw modelNotAllowed(ask.model);
  const admission = deps.limiter.admit(caller.limits, guessTokens(ask));
  try {
    await serveAdmitted(deps, request, admission);
  } finally {
    admission.settle(0);
  }
}

async function serveAdmitted(deps: RelayDependencies, request: RelayRequest, admission: Admission): Promise<void> {
  const { caller, ask } = request;
  const { group, routes } = await routesFor(deps, request);
  const priceOf = rememberPrices(deps, group);
  const prices = routes.map(priceOf);
  const reserved = await reserveOrRelease(deps, { requestId: request.requestId, caller, ask, routes, prices });
  const job: RelayJob = {
    ...request,
    group,
    routes,
    pinned: request.pinnedChannel !== undefined,
    reserved: reserved.amount,
    cappedTokens: reserved.cappedTokens,
    admission,
    attempts: [],
    priceOf,
  };
  await deps.active.run(() => serveAndSend(deps, job));
}

/** When the database fails in the middle, the reservation may be there or not: it is released in any case. */
async function reserveOrRelease(deps: RelayDependencies, request: ReserveRequest): Promise<Reserved> {
  try {
    return await reserveJob(deps, request);
  } catch (error) {
    if (!(error instanceof RelayError))
      void settleSurely(deps.timeouts.settleMs, () => giveBack(deps, request)).catch(() => undefined);
    throw error;
  }
}

/** Gives the whole reservation back without a row in the log. */
function giveBack(deps: RelayDependencies, { requestId, caller }: Pick<RelayRequest, "requestId" | "caller">) {
  const { userId, tokenId, unlimitedQuota } = caller;
  const at = nowSeconds(deps.clock);
  const payer = { requestId, userId, tokenId, tokenUnlimited: unlimitedQuota };
  return deps.ledger.settle({ ...payer, channelId: 0, charge: undefined, at, log: undefined });
}

async function serveAndSend(deps: RelayDependencies, job: RelayJob): Promise<void> {
  let handedOver = false;
  try {
    if (job.caller.moderated) await moderatePrompt(deps, job.caller, job.ask);
    const { route, result } = await serveJob(deps, job);
    handedOver = result.kind !== "caller-gone";
    if (result.kind === "answer") await sendAnswer(deps, job, route, result.answer);
    else if (result.kind === "stream") await sendStream(deps, job, route, result);
    else await release(deps, job, { end: "caller-gone", result: "caller-gone", statusCode: 0 });
  } catch (error) {
    if (handedOver) throw error;
    // A refusal is told to the log by whoever tells it to the caller.
    if (error instanceof RelayError) await settleSurely(deps.timeouts.settleMs, () => giveBack(deps, job));
    else await release(deps, job, endOf(error));
    throw error;
  }
}

type Unserved = Pick<JobEnd, "end" | "result" | "statusCode">;

function endOf(error: unknown): Unserved {
  if (!(error instanceof UnservedError)) return { end: "internal", result: "gateway-failed", statusCode: 500 };
  return { end: error.end, result: RESULT_OF_FAILURE[error.end], statusCode: error.statusCode };
}

/** Gives the whole reservation back: nothing was delivered. */
async function release(deps: RelayDependencies, job: RelayJob, end: Unserved): Promise<void> {
  const nothing = { route: undefined, usage: undefined, rule: "none", firstByteMs: 0 } as const;
  await settleSurely(deps.timeouts.settleMs, () => settleJob(deps, job, { ...nothing, ...end }));
}

interface FoundRoutes {
  readonly group: string;
  readonly routes: readonly Route[];
}

/** The routes of the first of the caller's groups that serves the model, or the pinned channel. Throws RelayError when there are none. */
async function routesFor(deps: RelayDependencies, request: RelayRequest): Promise<FoundRoutes> {
  const { caller, ask, pinnedChannel } = request;
  const [firstGroup = "default"] = caller.groups;
  if (pinnedChannel !== undefined) {
    const channel = await deps.loadChannel(pinnedChannel);
    const { routes, refusals } = findRoutes(channel === undefined ? [] : [channel], ask.model, ask.endpoint);
    if (routes.length === 0) throw pinnedUnusable(pinnedChannel, refusals[0]?.reason ?? "there is no such channel");
    return { group: firstGroup, routes };
  }
  const current = deps.channels.snapshot();
  const snapshot = current instanceof Promise ? await current : current;
  let refusal: string | undefined;
  for (const group of caller.groups) {
    const { routes, refusals } = findRoutes(snapshot.serving(group, ask.model), ask.model, ask.endpoint);
    if (routes.length > 0) return { group, routes };
    refusal ??= refusals[0]?.reason;
  }
  throw noChannel(ask.model, refusal);
}

function rememberPrices(deps: RelayDependencies, group: string): (route: Route) => Price {
  const known = new Map<string, Price>();
  return (route) => {
    const key = `${route.channel.type} ${route.upstreamModel}`;
    const price = known.get(key) ?? priceModel(deps.options, route.upstreamModel, route.channel.type, group);
    known.set(key, price);
    return price;
  };
}

function modelNotAllowed(model: string): RelayError {
  const message = `This API key may not call the model ${model}.`;
  return new RelayError({
    status: 403,
    type: "invalid_request_error",
    code: "model_not_allowed",
    param: "model",
    message,
  });
}

function noChannel(model: string, refusal: string | undefined): RelayError {
  if (refusal !== undefined) {
    return new RelayError({
      status: 501,
      code: "not_supported",
      param: "model",
      message: `No channel can serve ${model} here: ${refusal}.`,
    });
  }
  const message = `No channel serves the model ${model} to your group. GET /v1/models lists what you can call.`;
  return new RelayError({
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    param: "model",
    message,
  });
}

function pinnedUnusable(channel: number, reason: string): RelayError {
  return new RelayError({
    status: 400,
    code: "invalid_channel",
    message: `Channel ${channel} cannot be called: ${reason}.`,
  });
}
