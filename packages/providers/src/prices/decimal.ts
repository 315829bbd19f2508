const FRACTION_DIGITS = 12;
const SCALE = 10n ** BigInt(FRACTION_DIGITS);

/** Number as text without an exponent: `"2.5"`, `"0.003625"`. Text keeps prices and ratios exact until they become integers. */
export type Decimal = string;

/** Formats a number with at most 12 digits after the point: `decimalOf(2.5)` is `"2.5"`. */
export function decimalOf(value: number): Decimal {
  return formatDecimal(parseDecimal(value.toFixed(FRACTION_DIGITS)));
}

/** Divides with 12 digits after the point, truncated, so that charges are never rounded up twice. */
export function divideDecimals(dividend: Decimal, divisor: Decimal): Decimal {
  return formatDecimal((parseDecimal(dividend) * SCALE) / parseDecimal(divisor));
}

function parseDecimal(text: Decimal): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, "0"));
}

function formatDecimal(scaled: bigint): Decimal {
  const digits = scaled.toString().padStart(FRACTION_DIGITS + 1, "0");
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, "");
  return digits.slice(0, -FRACTION_DIGITS) + (fraction === "" ? "" : `.${fraction}`);
}
