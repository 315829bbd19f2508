/** How amounts of quota are shown; both values come from the public status. */
export interface QuotaDisplay {
  readonly displayInCurrency: boolean;
  readonly quotaPerUnit: number;
}

const quotaSteps = [
  { from: 10_000, size: 1_000, suffix: "k" },
  { from: 1_000_000, size: 1_000_000, suffix: "M" },
  { from: 1_000_000_000, size: 1_000_000_000, suffix: "B" },
] as const;

function formatCount(amount: number): string {
  const index = quotaSteps.findLastIndex(({ from }) => amount >= from);
  const step = quotaSteps[index];
  if (step === undefined) return String(amount);
  const figure = (amount / step.size).toFixed(1);
  const next = quotaSteps[index + 1];
  // Rounding may reach the next step: 999,960 reads 1.0M, not 1000.0k.
  return figure === "1000.0" && next !== undefined ? `1.0${next.suffix}` : figure + step.suffix;
}

/**
 * An amount of quota as text: dollars with 2 decimals, or from 10 thousand on k, M and B with one decimal.
 * Amounts below zero carry a minus sign.
 */
export function formatQuota(quota: number, display: QuotaDisplay): string {
  const sign = quota < 0 ? "-" : "";
  const amount = Math.abs(quota);
  if (display.displayInCurrency) return `${sign}$${(amount / display.quotaPerUnit).toFixed(2)}`;
  return sign + formatCount(amount);
}

const twoDigits = (value: number) => String(value).padStart(2, "0");

/** Unix seconds as `YYYY-MM-DD` in the viewer's zone. */
export function formatDate(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1_000);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Unix seconds as `YYYY-MM-DD HH:MM:SS` in the viewer's zone. */
export function formatTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1_000);
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
  return `${formatDate(unixSeconds)} ${clock}`;
}

/** The viewer's zone at that moment, for example `UTC+08:00 Asia/Shanghai`. */
export function formatZone(unixSeconds: number): string {
  const offsetMinutes = -new Date(unixSeconds * 1_000).getTimezoneOffset();
  const size = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  return `UTC${offset} ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
}

/** Milliseconds as seconds with up to 2 decimals, for example `0.84 s`. */
export function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(2)} s`;
}

/** An integer with thousands separators in the given language. */
export function formatInteger(value: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(value);
}
