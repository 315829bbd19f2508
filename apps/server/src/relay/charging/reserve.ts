import { nowSeconds } from "../../platform/clock.ts";
import type { BudgetRefusal, Ledger, ReserveOutcome } from "@one-api/ledger/ledger";
import type { ParsedRequest } from "../body/index.ts";
import { BUDGET_EXCEEDED, type Caller, payerOf } from "../callers/index.ts";
import type { Candidate } from "../routing/index.ts";
import { answerTerms, usageUpperBound } from "../usage/index.ts";
import { affordableCompletion, chargeUpperBound, type Price, type UsageUpperBound } from "../pricing/index.ts";
import { RelayError } from "../errors/index.ts";
import type { ChargingServices } from "./charging-services.ts";
import { addedTokens, overridesLimit, withOverrides } from "./overridden-bound.ts";

export interface Reservation {
  readonly amount: number;
  /** Limit of the completion, where the balance pays for less than the model could write. */
  readonly cappedTokens: number | undefined;
  readonly most: UsageUpperBound;
}

export interface ReserveRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly parsed: ParsedRequest;
  readonly routes: readonly Candidate[];
  readonly prices: readonly Price[];
}

/**
 * Reserves an upper bound of the charge.
 * Where the caller sets no limit and the balance does not cover the longest answer, it reserves the balance and limits the completion accordingly.
 * Throws a RelayError: 403 or 429 for lack of quota or budget, 503 where a silent server has a share of it.
 */
export function reserve(services: ChargingServices, request: ReserveRequest): Reservation | Promise<Reservation> {
  const { parsed, routes, prices } = request;
  const most = requestUpperBound(parsed, routes);
  const amount = chargeUpperBound(most, prices);
  const decide = (outcome: ReserveOutcome) => {
    if (outcome.ok) return { amount, cappedTokens: undefined, most };
    if (outcome.refusal === "held-elsewhere") throw heldElsewhere(outcome.retryAfterSeconds);
    return reserveCloser(services, request, most, { amount, outcome });
  };
  const outcome = tryReserve(services, services.ledger, request, amount);
  return outcome instanceof Promise ? outcome.then(decide) : decide(outcome);
}

/** Returns the upper bound of the usage over all candidates, with the channels' system prompts and overrides. */
export function requestUpperBound(parsed: ParsedRequest, routes: readonly Candidate[]): UsageUpperBound {
  const models = routes.map((route) => route.upstreamModel);
  const bound = withOverrides(usageUpperBound(parsed, models, answerTerms(routes)), parsed, routes);
  const added = channelTokens(routes);
  if (added === 0 && bound.units === undefined) return bound;
  const promptTokens = bound.promptTokens + added;
  return { ...bound, promptTokens, ...(bound.units && { units: atLeast(bound.units, routes) }) };
}

/** Reserves exactly this amount. Throws a RelayError (403 or 429) with the lacking quota or budget. */
export async function reserveAmount(
  services: Pick<ChargingServices, "ledger" | "clock">,
  from: Reserver,
  request: Pick<ReserveRequest, "requestId" | "caller">,
  amount: number,
): Promise<void> {
  const outcome = await tryReserve(services, from, request, amount);
  if (outcome.ok) return;
  if (outcome.refusal === "held-elsewhere") throw heldElsewhere(outcome.retryAfterSeconds);
  const now = nowSeconds(services.clock);
  if ("budget" in outcome) throw overBudget(request.caller, amount, outcome, now);
  throw notEnoughQuota(amount, await services.ledger.available(payerOf(request.caller), now));
}

/** Reserves less than the first bound: counts the prompt, then caps the completion where the caller set no limit. */
async function reserveCloser(
  services: ChargingServices,
  request: ReserveRequest,
  most: UsageUpperBound,
  { amount: bound, outcome }: { readonly amount: number; readonly outcome: Refused },
): Promise<Reservation> {
  const { parsed, prices, routes } = request;
  const now = nowSeconds(services.clock);
  const balance = await services.ledger.available(payerOf(request.caller), now);
  const refuse = (needed: number) =>
    "budget" in outcome ? overBudget(request.caller, needed, outcome, now) : notEnoughQuota(needed, balance);
  const mayCap = parsed.hasCompletion && parsed.maxTokens === undefined && answerTerms(routes) === "limited";
  const canCap = mayCap && !overridesLimit(parsed, routes);
  if (leastCharge(most, prices, canCap) > balance) throw refuse(bound);

  const closer = await boundClosely(services, request, most);
  const closerCharge = chargeUpperBound(closer, prices);
  if (closerCharge < bound && (await tryReserve(services, services.ledger, request, closerCharge)).ok)
    return { amount: closerCharge, cappedTokens: undefined, most };

  const least = services.leastCappedTokens();
  if (canCap) {
    const cappedTokens =
      Math.floor(affordableCompletion(closer, balance, prices) / parsed.answers) - parsed.unlimitedTokens;
    const completionTokens = (cappedTokens + parsed.unlimitedTokens) * parsed.answers;
    const amount = chargeUpperBound({ ...closer, completionTokens }, prices);
    if (cappedTokens >= Math.max(1, least) && (await tryReserve(services, services.ledger, request, amount)).ok)
      return { amount, cappedTokens, most: { ...most, completionTokens } };
  }
  throw refuse(closerCharge);
}

/** Upper bound of the bytes of a token, averaged over a text. */
const MOST_BYTES_PER_TOKEN = 10;

/** Returns a lower bound of the charge. A balance below it needs no count of the prompt. */
function leastCharge(most: UsageUpperBound, prices: readonly Price[], canCap: boolean): number {
  const promptTokens = Math.floor(most.promptTokens / MOST_BYTES_PER_TOKEN);
  return chargeUpperBound({ ...most, promptTokens, completionTokens: canCap ? 1 : most.completionTokens }, prices);
}

function channelTokens(routes: readonly Candidate[]): number {
  let most = 0;
  for (const { channel } of routes) {
    if (channel.systemPrompt !== "")
      most = Math.max(most, Buffer.byteLength(channel.systemPrompt) + CHANNEL_FRAME_TOKENS);
  }
  return most;
}

/** Raises the seconds of a recording to the minimum that any candidate bills. */
function atLeast(
  units: NonNullable<UsageUpperBound["units"]>,
  routes: readonly Candidate[],
): NonNullable<UsageUpperBound["units"]> {
  if (units.seconds === 0) return units;
  const least = Math.max(...routes.map(({ service }) => service.leastSeconds ?? 0));
  const [seconds, believableSeconds] = [Math.max(units.seconds, least), Math.max(units.believableSeconds, least)];
  return { ...units, seconds, believableSeconds };
}

const CHANNEL_FRAME_TOKENS = 16;

/** Returns the bound with the prompt's text counted, where tokens are billed. */
async function boundClosely(
  services: ChargingServices,
  { parsed, routes }: ReserveRequest,
  bound: UsageUpperBound,
): Promise<UsageUpperBound> {
  if (routes.some(({ service }) => service.format.chat?.countUsage !== undefined)) return bound;
  const models = [...new Set(routes.map((route) => route.upstreamModel))];
  const counts = await Promise.all(models.map((model) => services.countTokens.promptAtMost(parsed, model)));
  const own = channelTokens(routes) + addedTokens(parsed, routes);
  return {
    ...bound,
    promptTokens: Math.max(...counts.map((count) => (count === undefined ? bound.promptTokens : count + own))),
  };
}

interface Reserver {
  reserve(reservation: Parameters<Ledger["reserve"]>[0]): ReserveOutcome | Promise<ReserveOutcome>;
}

function tryReserve(
  { clock }: Pick<ChargingServices, "clock">,
  from: Reserver,
  { caller, requestId }: Pick<ReserveRequest, "requestId" | "caller">,
  amount: number,
): ReserveOutcome | Promise<ReserveOutcome> {
  return from.reserve({ ...payerOf(caller), requestId, amount, createdAt: nowSeconds(clock) });
}

type Refused = Exclude<Extract<ReserveOutcome, { readonly ok: false }>, { readonly refusal: "held-elsewhere" }>;

function heldElsewhere(retryAfterSeconds: number): RelayError {
  return new RelayError({
    status: 503,
    type: "server_error",
    code: "unavailable",
    message: `A part of this account's quota is held by a server that does not answer. It is free again within ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
}

const BUDGET_OWNERS = { "user-budget": "account", "token-budget": "token", "group-budget": "group" } as const;

/** A budget renews, so its refusal is a 429 with the time of renewal. */
function overBudget({ budgets }: Caller, needed: number, { refusal, budget }: BudgetRefusal, now: number): RelayError {
  const { amount, left, renewsAt } = budget;
  const whose = BUDGET_OWNERS[refusal];
  const group = whose === "group" ? budgets?.find(({ of }) => of === "group")?.group : undefined;
  const owner = group === undefined ? `this ${whose}` : `the group ${group}, which all its users share,`;
  const remedy = group === undefined ? "" : " Wait until then, lower max_tokens, or ask an administrator for more.";
  const time = new Date(renewsAt * 1000).toISOString().replace(".000", "");
  return new RelayError({
    status: 429,
    type: "insufficient_quota",
    code: BUDGET_EXCEEDED,
    message: `The ${budget.period} budget of ${owner} is ${amount} quota, and ${left} of it is left; this request can cost up to ${needed}. The budget renews at ${time}.${remedy}`,
    values: { whose, ...(group !== undefined && { group }), amount, left, needed, renews_at: renewsAt },
    retryAfterSeconds: Math.max(1, renewsAt - now),
  });
}

function notEnoughQuota(needed: number, balance: number): RelayError {
  const message = `This request can cost up to ${needed} quota, and ${balance} is left. Top up, shorten it or lower max_tokens.`;
  return new RelayError({
    status: 403,
    type: "insufficient_quota",
    code: "insufficient_quota",
    message,
    values: { needed, left: balance },
  });
}
