import type { LogResult } from "@one-api/contract/logs/log";
import type { LogEnd } from "@one-api/contract/logs/log-end";
import type { UsageNote } from "@one-api/contract/logs/log-detail";
import type { Failure } from "@one-api/providers/failure";
import { mostTierFactor, ownTierIn } from "@one-api/providers/tier-factor";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { RESULT_OF_FAILURE } from "../../features/logs/index.ts";
import { type ParsedRequest, SEARCH_FIELDS } from "../body/index.ts";
import type { PricedCandidate } from "../routing/index.ts";
import { completeUsage } from "../usage/index.ts";
import { clampUsage } from "../pricing/index.ts";
import { RelayError, UpstreamFailedError } from "../errors/index.ts";
import type { AnswerStream, WrittenRequest } from "../translate/index.ts";
import type { ReservedRequest } from "./reserved-request.ts";

export interface Outcome {
  readonly route: PricedCandidate | undefined;
  readonly usage: Usage | undefined;
  readonly notes: readonly UsageNote[];
  readonly rule: "usage" | "estimated" | "partial" | "none";
  /** One of LOG_ENDS, or the code of the refusal that ended a stream. */
  readonly end: string;
  readonly result: LogResult;
  /** HTTP status of the provider; 0 when none came. */
  readonly statusCode: number;
  readonly firstByteMs: number;
  readonly providerMs: number | undefined;
  readonly written: WrittenRequest | undefined;
}

type OutcomeFacts = Pick<Outcome, "usage" | "rule" | "end" | "result" | "statusCode">;

/** Returns the outcome of a request, its usage completed and clamped to the upper bound. */
export function describeOutcome(
  { parsed, most }: Pick<ReservedRequest, "parsed" | "most">,
  { route, firstByteMs, providerMs, written }: Pick<Outcome, "route" | "firstByteMs" | "providerMs" | "written">,
  end: OutcomeFacts,
): Outcome {
  const used =
    end.usage === undefined ? end : completed(parsed, route, asAsked(parsed, route, written, end.usage), end.rule);
  const clamped = used.usage === undefined ? undefined : clampUsage(used.usage, most);
  const notes = clamped?.notes ?? [];
  return { ...end, usage: clamped?.usage, notes, rule: used.rule, route, firstByteMs, providerMs, written };
}

/** Fields for another service tier, speed or place, in the names of all formats. */
const TIER_FIELDS = ["service_tier", "speed", "inference_geo"];

/**
 * Returns the usage with what only the request says: the price factor of its tier, and one use of each tool that always runs. Dropped fields cost
 * nothing.
 */
function asAsked(
  { priceFactorOf, tier, prompt }: Pick<ParsedRequest, "priceFactorOf" | "tier" | "prompt">,
  route: PricedCandidate | undefined,
  written: WrittenRequest | undefined,
  usage: Usage,
): Usage {
  if (route === undefined) return usage;
  const dropped = written?.dropped ?? [];
  const asked = usage.namesTier ? 1 : factorAsked(priceFactorOf, route, written);
  const isToldCost = usage.toolFees > 0 || usage.providerDollars > 0;
  const least = isToldCost || SEARCH_FIELDS.some((field) => dropped.includes(field)) ? 0 : (prompt.leastFees ?? 0);
  const ownTier = usage.namesTier ? undefined : ownTierAsked(tier, route, written);
  if (asked <= usage.priceFactor && least === 0 && ownTier === undefined) return usage;
  return {
    ...usage,
    priceFactor: Math.max(usage.priceFactor, asked),
    toolFees: Math.max(usage.toolFees, least),
    ...(ownTier && { tier: ownTier }),
  };
}

function factorAsked(
  priceFactorOf: ParsedRequest["priceFactorOf"],
  { service, upstreamModel }: PricedCandidate,
  written: WrittenRequest | undefined,
): number {
  if (written?.tier !== undefined) return mostTierFactor(service.format.name, written.tier, upstreamModel);
  return TIER_FIELDS.some((field) => written?.dropped.includes(field) === true) ? 1 : priceFactorOf(upstreamModel);
}

/** Returns the requested tier if the model's own price of it applies without a report: the usual one may have served the request, so never a lower one. */
function ownTierAsked(
  tier: ParsedRequest["tier"],
  { price: { tiers } }: PricedCandidate,
  written: WrittenRequest | undefined,
): ParsedRequest["tier"] {
  if (tiers === undefined || written?.dropped.includes("service_tier") === true) return undefined;
  const asked = written?.tier === undefined ? tier : ownTierIn(written.tier);
  return asked !== undefined && (tiers[asked] ?? 0) >= 1 ? asked : undefined;
}

export type Interruption =
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "caller-gone" | "caller-stalled" }
  | { readonly kind: "ended"; readonly error: RelayError };

/** Returns what a stream of images, audio or a transcript has reported or delivered so far. */
export function mediaSoFar(stream: AnswerStream): Usage {
  const usage = stream.usage ?? NO_USAGE;
  return { ...usage, completionTokens: Math.max(usage.completionTokens, stream.deliveredTokens()) };
}

/** True for requests that are charged once a provider has them, answered or not: text and recordings. Images and speech are charged when made. */
export function paysPrompt(
  { media }: Pick<ParsedRequest, "media">,
  { unit }: Pick<PricedCandidate["price"], "unit">,
): boolean {
  return media === undefined ? unit === "token" : media.kind === "recording" || media.kind === "ranking";
}

/** Returns the usage with the parts of images and audio that the provider does not report, and the source of the usage then. */
export function completed(
  { media }: Pick<ParsedRequest, "media">,
  route: PricedCandidate | undefined,
  usage: Usage,
  rule: Outcome["rule"],
): Pick<Outcome, "rule"> & { readonly usage: Usage } {
  if (media === undefined || route === undefined) return { usage, rule };
  const { upstreamModel: model, service } = route;
  const whole = completeUsage(media, { model, leastSeconds: service.leastSeconds }, usage);
  const isEstimated = rule === "usage" && route.price.unit === "token" && whole.isEstimated;
  return { usage: whole.usage, rule: isEstimated ? "estimated" : rule };
}

/** Returns the outcome of an answer that never leaves: no charge. */
export function undelivered(end: Outcome): Outcome {
  return { ...end, usage: undefined, rule: "none", end: "unbooked" satisfies LogEnd, result: "gateway-failed" };
}

/** Returns the word of the log for the end of a stream. */
export function nameOf(cut: Interruption | undefined): string {
  if (cut === undefined) return "complete" satisfies LogEnd;
  if (cut.kind === "failed") return cut.failure.kind;
  return cut.kind === "ended" ? (cut.error.code ?? ("ended" satisfies LogEnd)) : (cut.kind satisfies LogEnd);
}

/** Returns the log's result for the end of a stream. */
export function resultOf(cut: Interruption | undefined): LogResult {
  if (cut === undefined) return "ok";
  return cut.kind === "failed" || cut.kind === "ended" ? "cut" : "caller-gone";
}

/** Returns the outcome of an error before any content: no charge. */
export function endOfError(error: unknown): OutcomeFacts {
  const nothing = { usage: undefined, rule: "none" } as const;
  if (!(error instanceof UpstreamFailedError)) {
    return { ...nothing, end: "internal" satisfies LogEnd, result: "gateway-failed", statusCode: 500 };
  }
  return { ...nothing, end: error.end, result: RESULT_OF_FAILURE[error.end], statusCode: error.statusCode };
}

/** Error event of a stream whose charge cannot be committed. */
export function streamUnbooked(): RelayError {
  return new RelayError({
    status: 503,
    code: "unavailable",
    message: "The answer could not be booked, so it ends here. Try again.",
  });
}
