import { formatNumber, numberFormat, SPANS } from "../../lib/format.ts";

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const BYTES_PER_STEP = 1_024;

/** A size as text, with one decimal at most: 12.3 MB. */
export function formatBytes(bytes: number, language: string): string {
  const steps = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(BYTES_PER_STEP));
  const step = Math.min(BYTE_UNITS.length - 1, steps);
  return `${formatNumber(bytes / BYTES_PER_STEP ** step, language, 1)} ${BYTE_UNITS[step] ?? ""}`;
}

/** A time between two runs in its largest whole unit: 5 sec, 10 min, 1 hr. */
export function formatInterval(intervalMs: number, language: string): string {
  const seconds = intervalMs / 1_000;
  const span = SPANS.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  const { unit, seconds: size } = span ?? { unit: "second", seconds: 1 };
  return numberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(seconds / size);
}
