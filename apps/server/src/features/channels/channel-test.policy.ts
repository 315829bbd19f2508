import { CHANNEL_STATUS } from "@one-api/contract/channel";
import type { ProbeOutcome } from "./channel-dependencies.ts";

/** The settings that decide about tested channels. */
export interface TestRules {
  readonly mayDisable: boolean;
  readonly mayEnable: boolean;
  /** Slower channels are disabled; 0 is no limit. */
  readonly slowestSeconds: number;
}

/** What a test means for its channel. */
export type TestVerdict =
  | { readonly action: "keep" | "enable" }
  | { readonly action: "disable"; readonly reason: string };

/**
 * Judges one channel after its test in a run: too slow or refused by its provider disables an enabled one, a pass enables one that the
 * gateway has disabled itself. What an administrator has disabled or put into the reserve stays.
 */
export function judgeTest(status: number, outcome: ProbeOutcome, rules: TestRules): TestVerdict {
  const reason = reasonAgainst(outcome, rules.slowestSeconds);
  if (status === CHANNEL_STATUS.enabled && rules.mayDisable && reason !== undefined)
    return { action: "disable", reason };
  const passed = outcome.ok && reason === undefined;
  return { action: status === CHANNEL_STATUS.autoDisabled && rules.mayEnable && passed ? "enable" : "keep" };
}

function reasonAgainst(outcome: ProbeOutcome, slowestSeconds: number): string | undefined {
  if (!outcome.ok) return outcome.credentialRefused ? `The test was refused: ${outcome.message}` : undefined;
  if (slowestSeconds === 0 || outcome.elapsedMs <= slowestSeconds * 1000) return undefined;
  return `The test took ${(outcome.elapsedMs / 1000).toFixed(1)} s, longer than ${slowestSeconds} s.`;
}
