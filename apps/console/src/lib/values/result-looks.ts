import { LOG_RESULTS } from "@one-api/contract/constants";
import type { LogResult } from "@one-api/contract/logs/log";

type Result = Exclude<LogResult, "">;
type Tone = "good" | "neutral" | "warning" | "danger";

/** One tone for each result, wherever it is shown. */
export const RESULT_TONES: Readonly<Record<Result, Tone>> = {
  ok: "good",
  refused: "neutral",
  "over-budget": "neutral",
  "caller-gone": "neutral",
  "provider-limited": "warning",
  cut: "danger",
  "provider-refused": "danger",
  "provider-failed": "danger",
  connection: "danger",
  timeout: "danger",
  "gateway-failed": "danger",
};

/** Results that clients caused. They are no errors of a channel or the gateway. */
export function isByClient(result: LogResult): boolean {
  return result !== "" && RESULT_TONES[result] === "neutral";
}

export const ERROR_RESULTS: readonly Result[] = LOG_RESULTS.filter(
  (result): result is Result => result !== "" && result !== "ok" && !isByClient(result),
);

const FAILED = "var(--status-danger)";
const deep = (part: number) => `color-mix(in srgb, ${FAILED} ${part}%, var(--mantine-color-text))`;
const pale = (part: number) => `color-mix(in srgb, ${FAILED} ${part}%, var(--mantine-color-body))`;

/** Colours of results side by side: the tone's colour, in shades where several results share it. */
export const RESULT_COLOURS: Readonly<Record<LogResult, string>> = {
  "": "var(--mantine-color-dimmed)",
  ok: "var(--status-success)",
  refused: "var(--mantine-color-dimmed)",
  "over-budget": "var(--mantine-color-dimmed)",
  "caller-gone": "var(--mantine-color-dimmed)",
  "provider-limited": "var(--status-warning)",
  "provider-failed": FAILED,
  cut: pale(62),
  connection: deep(62),
  timeout: deep(40),
  "provider-refused": pale(80),
  "gateway-failed": deep(80),
};
