import { formatNumber, numberFormat, SPANS, withHanSpace } from "../../lib/format.ts";

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const BYTES_PER_STEP = 1_024;

/** A size as text, with one decimal at most: 12.3 MB. In the unit of `like`, and without it on demand. */
export function formatBytes(bytes: number, language: string, like = bytes, hasUnit = true): string {
  const steps = like < 1 ? 0 : Math.floor(Math.log(like) / Math.log(BYTES_PER_STEP));
  const step = Math.min(BYTE_UNITS.length - 1, steps);
  const amount = formatNumber(bytes / BYTES_PER_STEP ** step, language, 1);
  return hasUnit ? `${amount} ${BYTE_UNITS[step] ?? ""}` : amount;
}

/** A duration in milliseconds alone, so that figures beside each other compare: 1,500 ms. */
export function formatMilliseconds(durationMs: number, language: string): string {
  return `${formatNumber(durationMs, language, durationMs < 10 ? 1 : 0)}\u00A0ms`;
}

/** A time between two runs in its largest whole unit: 5 sec, 10 min, 1 hr. */
export function formatInterval(intervalMs: number, language: string): string {
  const seconds = intervalMs / 1_000;
  const span = SPANS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  const { unit, seconds: size } = span ?? { unit: "second", seconds: 1 };
  return withHanSpace(numberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(seconds / size));
}
