import { maxOutputTokens } from "@one-api/providers/models/max-output-tokens";
import { nowSeconds } from "../core/clock.ts";
import type { ReserveOutcome } from "../ledger/ledger-operation.ts";
import type { RelayAsk } from "./body/read-ask.ts";
import type { Caller } from "./callers/caller-source.ts";
import type { Route } from "./channels/pick-channel.ts";
import { boundPrompt } from "./count-usage.ts";
import { affordableCompletion, boundCharge, type UsageBound } from "./pricing/compute-charge.ts";
import type { Price } from "./pricing/price-model.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";

/** What was set aside for a request. */
export interface Reserved {
  readonly amount: number;
  /** Set when the balance pays for less than the model could write. */
  readonly cappedTokens: number | undefined;
}

export interface ReserveRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly ask: RelayAsk;
  readonly routes: readonly Route[];
  readonly prices: readonly Price[];
}

/** The longest answer of a model whose own limit is not known, in tokens. */
const UNKNOWN_OUTPUT_CAP = 16_384;
/** A local count may be this far below the provider's: a twentieth, and a few tokens that frame the messages. */
const COUNT_MARGIN = 1.05;
const COUNT_MARGIN_TOKENS = 16;

/**
 * Sets aside an upper bound of what the request can cost. Where the caller sets no limit and the balance does not cover the longest answer,
 * what the balance pays for is set aside and the provider is asked for no more than that. Answers at once where the ledger does and the balance
 * covers the bound. Throws a 403 RelayError when the balance is too little.
 */
export function reserveJob(deps: RelayDependencies, request: ReserveRequest): Reserved | Promise<Reserved> {
  const { ask, routes, prices } = request;
  const completionTokens = longestAnswer(ask, routes) * ask.answers;
  const most = { ...boundPrompt(ask), completionTokens };
  const amount = boundCharge(most, prices);
  const decide = (outcome: ReserveOutcome) =>
    outcome.ok ? { amount, cappedTokens: undefined } : reserveCloser(deps, request, most, amount);
  const outcome = tryReserve(deps, request, amount);
  return outcome instanceof Promise ? outcome.then(decide) : decide(outcome);
}

/** The balance does not cover the bound: counts the prompt, and then asks for less where the caller left that open. */
async function reserveCloser(
  deps: RelayDependencies,
  request: ReserveRequest,
  most: UsageBound,
  bound: number,
): Promise<Reserved> {
  const { ask, prices } = request;
  const promptTokens = await countPrompt(deps, request);
  const counted = { ...most, promptTokens };
  const closer = boundCharge(counted, prices);
  if (closer < bound && (await tryReserve(deps, request, closer)).ok)
    return { amount: closer, cappedTokens: undefined };

  const balance = await deps.readBalance(request.caller);
  const least = deps.options.number("PreConsumedQuota");
  if (ask.hasCompletion && ask.maxTokens === undefined) {
    const cappedTokens = Math.floor(affordableCompletion(counted, balance, prices) / ask.answers);
    const amount = boundCharge({ ...counted, completionTokens: cappedTokens * ask.answers }, prices);
    if (cappedTokens >= Math.max(1, least) && (await tryReserve(deps, request, amount)).ok)
      return { amount, cappedTokens };
  }
  throw notEnoughQuota(closer, balance);
}

function longestAnswer(ask: RelayAsk, routes: readonly Route[]): number {
  if (!ask.hasCompletion) return 0;
  if (ask.maxTokens !== undefined) return ask.maxTokens;
  return Math.max(...routes.map((route) => maxOutputTokens(route.upstreamModel) ?? UNKNOWN_OUTPUT_CAP));
}

async function countPrompt(deps: RelayDependencies, { ask, routes }: ReserveRequest): Promise<number> {
  const counts = await Promise.all(
    [...new Set(routes.map((route) => route.upstreamModel))].map((model) => deps.countTokens.prompt(ask, model)),
  );
  return Math.ceil(Math.max(...counts) * COUNT_MARGIN) + COUNT_MARGIN_TOKENS;
}

function tryReserve(
  deps: RelayDependencies,
  { caller, requestId }: ReserveRequest,
  amount: number,
): ReserveOutcome | Promise<ReserveOutcome> {
  return deps.booking.reserve({
    requestId,
    userId: caller.userId,
    tokenId: caller.tokenId,
    tokenUnlimited: caller.unlimitedQuota,
    amount,
    createdAt: nowSeconds(deps.clock),
  });
}

function notEnoughQuota(needed: number, balance: number): RelayError {
  const message = `This request can cost up to ${needed} quota, and ${balance} is left. Top up, shorten it or lower max_tokens.`;
  return new RelayError({
    status: 403,
    type: "insufficient_quota",
    code: "insufficient_quota",
    message,
  });
}
