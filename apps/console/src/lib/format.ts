const formatters = new Map<string, unknown>();

/** Returns the formatter of a key, made at its first use: that costs a hundred times as much as formatting does. */
function formatterOf<Formatter>(key: string, make: () => Formatter): Formatter;
function formatterOf(key: string, make: () => unknown): unknown {
  const formatter = formatters.get(key) ?? make();
  formatters.set(key, formatter);
  return formatter;
}

/** Returns the number format of a language, made once for the same options. */
export function numberFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return formatterOf(language + JSON.stringify(options), () => new Intl.NumberFormat(language, options));
}

/** Both values come from the public status. */
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

export const ONE_CENT = 0.01;

/** Most decimals that an amount below one cent is shown with. */
const SMALLEST_DECIMALS = 12;

// The same in every language: the sign, the point and the comma of dollars.
const wholeCents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The first two digits that count of an amount below one cent: 0.00014. */
function formatPartOfCent(dollars: number): string {
  const decimals = Math.min(SMALLEST_DECIMALS, 1 - Math.floor(Math.log10(dollars)));
  // 0.0000996 reads 0.00010 and not 0.000100: rounding may reach the digit before.
  const shown = dollars.toFixed(decimals);
  return /[1-9]\d\d$/.test(shown) ? shown.slice(0, -1) : shown;
}

/**
 * Formats money with two decimals and thousands separators; below one cent with two significant digits ($0.00014).
 * Negative amounts have a minus sign.
 */
export function formatMoney(money: number, currencySign = "$"): string {
  const amount = Math.abs(money);
  const isPartOfCent = amount > 0 && amount < ONE_CENT;
  const text = isPartOfCent ? formatPartOfCent(amount) : wholeCents.format(amount);
  return `${money < 0 ? "-" : ""}${currencySign}${text}`;
}

const wholeAndMore = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** A price in dollars as text, with two decimals, and up to six where it has them: people multiply it. */
export function formatPrice(dollars: number): string {
  return dollars > 0 && dollars < ONE_CENT ? formatMoney(dollars) : `$${wholeAndMore.format(dollars)}`;
}

/** An amount of quota as text: dollars, or from 10 thousand on k, M and B with one decimal. Amounts below zero carry a minus sign. */
export function formatQuota(quota: number, display: QuotaDisplay): string {
  if (display.displayInCurrency) return formatMoney(quota / display.quotaPerUnit);
  return (quota < 0 ? "-" : "") + formatCount(Math.abs(quota));
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

/** IANA name of the viewer's time zone. */
export function viewerTimeZone(): string {
  // A journey changes the offset: then the name is read again.
  return formatterOf(`zone ${new Date().getTimezoneOffset()}`, () => Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** The viewer's zone at that moment, for example `UTC+08:00 Asia/Shanghai`. */
export function formatZone(unixSeconds: number): string {
  const offsetMinutes = -new Date(unixSeconds * 1_000).getTimezoneOffset();
  const size = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  return `UTC${offset} ${viewerTimeZone()}`;
}

/** Units of a time, the longest first. */
export const SPANS = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
] as const;

/** Relative time of a moment (Unix seconds): "in 30 days", "2 hours ago". Narrow counts whole units: "44s ago". */
export function timeUntil(time: number, language: string, style: "long" | "narrow" = "long"): string {
  const distance = time - Date.now() / 1_000;
  const whole = style === "narrow" ? Math.trunc : Math.round;
  const step = SPANS.find(({ seconds }) => whole(Math.abs(distance) / seconds) >= 1) ?? {
    unit: "second",
    seconds: 1,
  };
  const format = formatterOf(
    `${style} ${language}`,
    () => new Intl.RelativeTimeFormat(language, { numeric: "always", style }),
  );
  return withHanSpace(format.format(whole(distance / step.seconds), step.unit));
}

/** Chinese texts have a space between digits and characters. */
export function withHanSpace(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/u, "$1 ");
}

const MINUTE_MS = 60_000;

/** Shortest duration that two decimals of a second can show. */
const TOO_SHORT_MS = 10;

/** A duration as text: seconds with 2 decimals (`0.84 s`), from a minute on minutes and seconds (`2 min 5 s`), below 10 ms milliseconds (`4 ms`). */
export function formatSeconds(durationMs: number): string {
  if (durationMs > 0 && durationMs < TOO_SHORT_MS) return `${Math.round(durationMs)} ms`;
  if (durationMs < MINUTE_MS) return `${formatTwoDecimals(durationMs / 1_000)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A figure with 2 decimals and nothing else, for texts that have a unit of their own. */
export function formatTwoDecimals(value: number): string {
  return value.toFixed(2);
}

/** A number with thousands separators in the given language, with as many decimals as it has, up to `mostDecimals`. */
export function formatNumber(value: number, language: string, mostDecimals = 3): string {
  return numberFormat(language, { maximumFractionDigits: mostDecimals }).format(value);
}

/** An integer with thousands separators in the given language. */
export function formatInteger(value: number, language: string): string {
  return formatNumber(value, language, 0);
}

/** A long number in short, as the language has it: 1.23M, 123万. */
export function formatCompact(value: number, language: string): string {
  return numberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }).format(value);
}

/** Rounds to significant digits; as a number, without trailing zeros. */
export function roundToDigits(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/**
 * Formats a part of 1 in percent with constant decimals, so that columns align; 0 and 1 have none. Tiny parts show as `<0.01%`. `floor` never rounds up to 100 %.
 */
export function formatPercent(
  part: number,
  language: string,
  decimals: number,
  roundingMode: "halfExpand" | "floor" = "halfExpand",
): string {
  const least = 1 / 10 ** (decimals + 2);
  if (part > 0 && part < least / 2) return `<${formatPercent(least, language, decimals)}`;
  return numberFormat(language, {
    style: "percent",
    minimumFractionDigits: part === 0 || part === 1 ? 0 : decimals,
    maximumFractionDigits: decimals,
    roundingMode,
  }).format(part);
}
