import { maxOutputTokens, UNKNOWN_MAX_OUTPUT_TOKENS } from "@one-api/providers/model-facts/max-output-tokens";
import { mostTierFactor } from "@one-api/providers/tier-factor";
import type { OverrideTerms } from "../../features/channels/index.ts";
import type { ParsedRequest } from "../body/index.ts";
import type { UsageUpperBound } from "../pricing/index.ts";
import type { Candidate } from "../routing/index.ts";

function termsOf({ hasCompletion }: ParsedRequest, { channel }: Candidate): OverrideTerms | undefined {
  return hasCompletion ? channel.overrides?.terms : undefined;
}

/** True if an override decides how long an answer may be, so that the balance must not limit it. */
export function overridesLimit(parsed: ParsedRequest, routes: readonly Candidate[]): boolean {
  return routes.some((route) => {
    const terms = termsOf(parsed, route);
    return terms !== undefined && (terms.limit !== undefined || terms.removesLimit || terms.thinkingTokens > 0);
  });
}

/** Upper bound of the prompt that overrides add, in tokens. */
export function addedTokens(parsed: ParsedRequest, routes: readonly Candidate[]): number {
  return Math.max(0, ...routes.map((route) => termsOf(parsed, route)?.addedBytes ?? 0));
}

/** Raises a bound to what the candidates' overrides allow. Returns the same bound without overrides. */
export function withOverrides(
  bound: UsageUpperBound,
  parsed: ParsedRequest,
  routes: readonly Candidate[],
): UsageUpperBound {
  if (routes.every((route) => termsOf(parsed, route) === undefined)) return bound;
  let { priceFactor, namesTier = false } = bound;
  let completionTokens = 0;
  for (const route of routes) {
    const terms = termsOf(parsed, route);
    completionTokens = Math.max(completionTokens, longestAnswer(parsed, route, terms));
    namesTier ||= terms?.tier !== undefined;
    if (terms?.tier !== undefined)
      priceFactor = Math.max(priceFactor, mostTierFactor(route.service.format.name, terms.tier, route.upstreamModel));
  }
  return {
    ...bound,
    promptTokens: bound.promptTokens + addedTokens(parsed, routes),
    completionTokens: bound.completionTokens === 0 ? 0 : completionTokens * parsed.answers,
    priceFactor,
    ...(namesTier && { namesTier }),
  };
}

/** The longest answer that the provider may write, in tokens, with thoughts beside its limit. */
function longestAnswer(parsed: ParsedRequest, route: Candidate, terms: OverrideTerms | undefined): number {
  const { service, upstreamModel } = route;
  const ofModel = maxOutputTokens(upstreamModel) ?? UNKNOWN_MAX_OUTPUT_TOKENS;
  const limits = [parsed.maxTokens, terms?.limit].filter((limit) => limit !== undefined);
  const isOpen = limits.length === 0 || terms?.removesLimit === true || service.format.chat?.isUnlimited === true;
  return Math.max(...limits, isOpen ? ofModel : 0) + parsed.unlimitedTokens + (terms?.thinkingTokens ?? 0);
}
