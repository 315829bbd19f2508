import { nowSeconds } from "../../platform/clock.ts";
import { sumBatchesOf } from "../../features/batches/index.ts";
import type { Caller } from "../callers/index.ts";
import { RelayError } from "../errors/index.ts";
import type { BatchServices } from "./batch-services.ts";

/** Batches may take a day, so they get a day's limit. */
const MINUTES = 24 * 60;

/** Limits the lines and model tokens of a token's batches in 24 hours to its rate limits for a day. Throws a 429 RelayError. */
export async function checkLimits(
  { database, clock }: Pick<BatchServices, "database" | "clock">,
  { limits }: Pick<Caller, "limits">,
): Promise<void> {
  const { requestsPerMinute, modelTokensPerMinute, tokenId } = limits;
  if (requestsPerMinute === 0 && modelTokensPerMinute === 0) return;
  const has = await sumBatchesOf(database, tokenId, nowSeconds(clock) - MINUTES * 60);
  for (const [type, what, perMinute, used] of [
    ["requests", "lines", requestsPerMinute, has.lines],
    ["tokens", "model tokens", modelTokensPerMinute, has.modelTokens],
  ] as const) {
    if (perMinute > 0 && used > perMinute * MINUTES) throw tooMuch(type, what, perMinute, used);
  }
}

function tooMuch(type: string, what: string, perMinute: number, used: number): RelayError {
  const message = `This token's limit of ${perMinute} ${type} per minute lets the batches of 24 hours have ${perMinute * MINUTES} ${what}; with this one they would have up to ${used}. Make it smaller, name max_tokens, or wait.`;
  return new RelayError({ status: 429, type, code: "rate_limit_exceeded", param: "input_file_id", message });
}
