import { expect, onTestFinished, test } from "vitest";
import {
  formatCompact,
  formatDate,
  formatInteger,
  formatMoney,
  formatNumber,
  formatPercent,
  formatQuota,
  formatSeconds,
  formatTime,
  formatTwoDecimals,
  formatZone,
  roundToDigits,
} from "./format.ts";
import { quotaDifference } from "./quota-difference.ts";

const dollars = { displayInCurrency: true, quotaPerUnit: 500_000 };
const plain = { displayInCurrency: false, quotaPerUnit: 500_000 };

test.each([
  [0, "$0.00"],
  [500_000, "$1.00"],
  [1_250_000, "$2.50"],
  [-750_000, "-$1.50"],
  [617_283_945, "$1,234.57"],
  [5_000, "$0.01"],
  [4_999, "$0.010"],
  [2_500, "$0.0050"],
  [207, "$0.00041"],
  [70, "$0.00014"],
  [1, "$0.0000020"],
  [-1, "-$0.0000020"],
])("[CONST-17] [CONST-18] %i quota in currency is %s", (quota, text) => {
  expect(formatQuota(quota, dollars)).toBe(text);
});

test.each([
  [0, "0"],
  [9_999, "9999"],
  [10_000, "10.0k"],
  [123_456, "123.5k"],
  [999_960, "1.0M"],
  [1_000_000, "1.0M"],
  [2_549_000, "2.5M"],
  [1_000_000_000, "1.0B"],
  [-25_000, "-25.0k"],
])("[CONST-19] [CONST-20] [CONST-21] %i quota without currency is %s", (quota, text) => {
  expect(formatQuota(quota, plain)).toBe(text);
});

test.each([
  ["cents", 225_400, 177_600, "$0.45", "$0.36", "$0.09"],
  ["cents that are equal", 22_400, 20_750, "$0.04", "$0.04", "$0.0033"],
  ["parts of a cent", 2_700, 1_800, "$0.0054", "$0.0036", "$0.0018"],
])(
  "a difference of amounts is that of their texts, or exact where it is less than a cent: %s",
  (_digits, whole, part, wholeText, partText, text) => {
    expect(formatQuota(whole, dollars)).toBe(wholeText);
    expect(formatQuota(part, dollars)).toBe(partText);
    expect(formatQuota(quotaDifference(whole, part, dollars), dollars)).toBe(text);
    expect(quotaDifference(whole, part, plain)).toBe(whole - part);
  },
);

test("[CONST-14] timestamps are YYYY-MM-DD with HH:MM:SS", () => {
  const moment = new Date(2026, 0, 5, 3, 4, 9);
  const seconds = Math.floor(moment.getTime() / 1_000);
  expect(formatTime(seconds)).toBe("2026-01-05 03:04:09");
  expect(formatDate(seconds)).toBe("2026-01-05");
});

test("[CONST-15] times are those of the reader's zone", () => {
  const zone = process.env["TZ"];
  onTestFinished(() => void (process.env["TZ"] = zone));
  for (const [name, text] of [
    ["Asia/Shanghai", "2026-01-05 11:04:09"],
    ["America/New_York", "2026-01-04 22:04:09"],
  ] as const) {
    process.env["TZ"] = name;
    expect(formatTime(Date.UTC(2026, 0, 5, 3, 4, 9) / 1_000)).toBe(text);
  }
});

test("[CONST-16] the zone carries its offset and its name", () => {
  expect(formatZone(1_700_000_000)).toMatch(/^UTC[+-]\d{2}:\d{2} \S+/);
});

test.each([
  [0.009_96, "$0.010"],
  [0.000_099_6, "$0.00010"],
  [1_000_000, "$1,000,000.00"],
])("dollars keep two digits that count below one cent: %d is %s", (money, text) => {
  expect(formatMoney(money)).toBe(text);
});

test.each([
  [0, "0.00 s"],
  [4, "4 ms"],
  [10, "0.01 s"],
  [843, "0.84 s"],
  [59_990, "59.99 s"],
  [60_000, "1 min 0 s"],
  [125_400, "2 min 5 s"],
])("%i ms are %s", (durationMs, text) => {
  expect(formatSeconds(durationMs)).toBe(text);
});

test("numbers are written as the reader's language writes them", () => {
  expect(formatInteger(1_234_567.6, "en")).toBe("1,234,568");
  expect(formatNumber(1_234.56, "en", 1)).toBe("1,234.6");
  expect(formatNumber(12, "en", 1)).toBe("12");
  expect(formatCompact(1_234_567, "en")).toBe("1.23M");
  expect(formatCompact(1_234_567, "zh-CN")).toBe("123万");
  expect(formatTwoDecimals(1.005_1)).toBe("1.01");
  expect(roundToDigits(1.5, 12)).toBe(1.5);
  expect(roundToDigits(0.123_456, 3)).toBe(0.123);
});

test("a part of one is written in percent, and never as 100 % for less than all where that would mislead", () => {
  expect(formatPercent(0.123_45, "en", 1)).toBe("12.3%");
  expect(formatPercent(0.999_99, "en", 2)).toBe("100.00%");
  expect(formatPercent(0.999_99, "en", 2, "floor")).toBe("99.99%");
  expect(formatPercent(1, "en", 2, "floor")).toBe("100%");
});

test("parts of one have the same decimals beside each other, and little is never nothing", () => {
  expect([0.025, 0.083_3, 0.1].map((part) => formatPercent(part, "en", 2))).toEqual(["2.50%", "8.33%", "10.00%"]);
  expect([0, 0.000_049, 0.000_05].map((part) => formatPercent(part, "en", 2))).toEqual(["0%", "<0.01%", "0.01%"]);
});
