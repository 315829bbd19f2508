/** How quick a channel answered its last test. */
type ResponseTimeLevel = "untested" | "quick" | "fair" | "slow" | "very-slow";

const QUICK_MS = 1_000;
const FAIR_MS = 3_000;
const SLOW_MS = 5_000;

/** Judges a response time in ms; 0 is untested. */
export function responseTimeLevel(responseTimeMs: number): ResponseTimeLevel {
  if (responseTimeMs <= 0) return "untested";
  if (responseTimeMs <= QUICK_MS) return "quick";
  if (responseTimeMs <= FAIR_MS) return "fair";
  return responseTimeMs <= SLOW_MS ? "slow" : "very-slow";
}
