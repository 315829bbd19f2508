import type { Terms } from "./charge-terms.ts";
import type { Price } from "./price-model.ts";

/** `whole` / 10^`digits` */
interface Scaled {
  readonly whole: number;
  readonly digits: number;
}

const DIGITS = 12;
const MAX_REMEMBERED = 10_000;
const remembered = new Map<number, Scaled>();
const POWERS_OF_TEN = Array.from({ length: 3 * DIGITS + 1 }, (_, power) => Number(`1e${power}`));

function scaled(ratio: number): Scaled {
  const known = remembered.get(ratio);
  if (known !== undefined) return known;
  let whole = Math.max(0, Math.round(ratio * 10 ** DIGITS));
  let digits = whole === 0 ? 0 : DIGITS;
  for (; digits > 0 && whole % 10 === 0; digits -= 1) whole /= 10;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const made = { whole, digits };
  remembered.set(ratio, made);
  return made;
}

function powerOfTen(power: number): number {
  return POWERS_OF_TEN[power] ?? Number.POSITIVE_INFINITY;
}

/** Upper bound of the relative error below: about fifteen roundings of 2^-53. */
const MAX_ERROR = 4e-15;

/** ceil(sum of the terms x model ratio x group ratio), exactly. */
export function productOf(terms: Terms, price: Price): number {
  return productInNumbers(terms, price) ?? productInBigInts(terms, price);
}

/** Undefined if the rounding errors of floating point could change the result. */
function productInNumbers(terms: Terms, price: Price): number | undefined {
  const [model, group] = [scaled(price.modelRatio), scaled(price.groupRatio)];
  let digits = 0;
  for (let index = 0; index < terms.length; index += 1) digits = Math.max(digits, scaled(terms.ratio(index)).digits);
  let weighted = 0;
  for (let index = 0; index < terms.length; index += 1) {
    const { whole, digits: own } = scaled(terms.ratio(index));
    weighted += Math.ceil(terms.tokens(index)) * (own === digits ? whole : whole * powerOfTen(digits - own));
  }
  const product = weighted * model.whole * group.whole;
  const divisor = powerOfTen(digits + model.digits + group.digits);
  if (product <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER) {
    const rest = product % divisor;
    return (product - rest) / divisor + (rest > 0 ? 1 : 0);
  }
  const quotient = product / divisor;
  const charge = Math.ceil(quotient * (1 - MAX_ERROR));
  return charge === Math.ceil(quotient * (1 + MAX_ERROR)) && charge < Number.MAX_SAFE_INTEGER ? charge : undefined;
}

const ONE = 10n ** BigInt(DIGITS);
const UNIT = ONE ** 3n;

function productInBigInts(terms: Terms, price: Price): number {
  const exact = (ratio: number) => {
    const { whole, digits } = scaled(ratio);
    return BigInt(Number.isFinite(whole) ? whole : Number.MAX_SAFE_INTEGER) * 10n ** BigInt(DIGITS - digits);
  };
  let weighted = 0n;
  for (let index = 0; index < terms.length; index += 1) {
    const tokens = Math.ceil(Math.min(terms.tokens(index), Number.MAX_SAFE_INTEGER));
    weighted += BigInt(tokens) * exact(terms.ratio(index));
  }
  const product = weighted * exact(price.modelRatio) * exact(price.groupRatio);
  const charge = (product + UNIT - 1n) / UNIT;
  return charge > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(charge);
}
