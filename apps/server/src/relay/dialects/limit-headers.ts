import { leftOf, nearestLimits, type WriteLimits } from "../limits/index.ts";

export const OPENAI_LIMITED = ["requests", "images", "tokens"] as const;
export const ANTHROPIC_LIMITED = ["requests", "tokens"] as const;

/** Of several limits of one kind the headers name the one with the least left. Source: https://platform.openai.com/docs/guides/rate-limits (images are the gateway's own). */
export const writeOpenaiLimits: WriteLimits = (states) => {
  const headers: Record<string, string> = {};
  for (const state of nearestLimits(states)) {
    const { kind, limit } = state.rule;
    if (kind === "concurrent") continue;
    headers[`x-ratelimit-limit-${kind}`] = String(limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(leftOf(state));
    headers[`x-ratelimit-reset-${kind}`] = `${state.resetSeconds}s`;
  }
  return headers;
};

/** Resets are times of RFC 3339. Source: https://docs.anthropic.com/en/api/rate-limits */
export const writeAnthropicLimits: WriteLimits = (states, nowMs) => {
  const headers: Record<string, string> = {};
  for (const state of nearestLimits(states)) {
    const { kind, limit } = state.rule;
    if (kind === "concurrent" || kind === "images") continue;
    headers[`anthropic-ratelimit-${kind}-limit`] = String(limit);
    headers[`anthropic-ratelimit-${kind}-remaining`] = String(leftOf(state));
    headers[`anthropic-ratelimit-${kind}-reset`] = rfc3339(nowMs + state.resetSeconds * 1000);
  }
  return headers;
};

function rfc3339(timeMs: number): string {
  return new Date(Math.ceil(timeMs / 1000) * 1000).toISOString().replace(".000Z", "Z");
}
