import { expect, test } from "vitest";
import { formatGroupLimits, limitRows, readGroupLimits, withLimit, withoutRow, withRow } from "./group-limits-model.ts";

const text = '{"default":{"rpm_limit":60,"models":{"gpt-5":{"concurrent_limit":2}}},"vip":{}}';
const limits = readGroupLimits(text) ?? {};
const row = (group: string, model = "") => ({ group, model, limits: {} });

test("each group and each of its models is a row", () => {
  expect(limitRows(limits)).toEqual([
    { group: "default", model: "", limits: { rpm_limit: 60 } },
    { group: "default", model: "gpt-5", limits: { concurrent_limit: 2 } },
    { group: "vip", model: "", limits: {} },
  ]);
});

test.each(["{", "[]", '{"default":{"rpm":1}}', '{"default":{"rpm_limit":-1}}'])("%s is invalid", (wrong) => {
  expect(readGroupLimits(wrong)).toBeUndefined();
});

test("a changed, added or removed row leaves the others as they are", () => {
  const [ofGroup = row("default")] = limitRows(limits);
  expect(withRow(limits, withLimit(ofGroup, "tpm_limit", 5))).toEqual({
    default: { rpm_limit: 60, tpm_limit: 5, models: { "gpt-5": { concurrent_limit: 2 } } },
    vip: {},
  });
  expect(withRow(limits, withLimit(ofGroup, "rpm_limit", 0))["default"]).toEqual({
    models: { "gpt-5": { concurrent_limit: 2 } },
  });
  expect(withRow(limits, row("vip", "o3"))["vip"]).toEqual({ models: { o3: {} } });
  expect(withoutRow(limits, row("default", "gpt-5"))["default"]).toEqual({ rpm_limit: 60 });
  expect(Object.keys(withoutRow(limits, row("default")))).toEqual(["vip"]);
});

test("no limits are an empty text", () => {
  expect([formatGroupLimits({}), readGroupLimits(" ")]).toEqual(["", {}]);
  expect(formatGroupLimits({ vip: { rpm_limit: 1 } })).toBe('{\n  "vip": {\n    "rpm_limit": 1\n  }\n}');
});
