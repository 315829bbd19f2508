import assert from "node:assert/strict";
import { it } from "node:test";
import { createGroupLimits } from "./group-limits.ts";
import { limitsOf, limitsOfAccount } from "./limits-of.ts";

const GROUP = { rpm_limit: 60, tpm_limit: 5, models: { "gpt-5": { concurrent_limit: 2 }, free: { rpm_limit: 0 } } };

const shortOf = (limits: ReturnType<typeof limitsOf>) =>
  [...(limits?.subjects ?? []), ...(limits?.models.values() ?? [])].map(({ name, rules }) => [
    name,
    ...rules.map(({ field, limit }) => `${field} ${limit}`),
  ]);

it("has the limits of the token, and those of its user and group beside them", () => {
  const user = { id: 7, limits: { rpm_limit: 10, requests_day_limit: 500 }, group: GROUP };
  assert.deepEqual(shortOf(limitsOf({ id: 3, tokens_5h_limit: 2 }, user)), [
    ["t3", "tokens_5h_limit 2000"],
    ["u7", "rpm_limit 10", "tpm_limit 5000", "requests_day_limit 500"],
    ["u7 gpt-5", "concurrent_limit 2"],
  ]);
  assert.deepEqual(shortOf(limitsOfAccount({ ...user, limits: {} })), [
    ["u7", "rpm_limit 60", "tpm_limit 5000"],
    ["u7 gpt-5", "concurrent_limit 2"],
  ]);
});

it("is undefined without any limit, so that requests are not counted", () => {
  assert.equal(limitsOf({ id: 3, rpm_limit: 0 }, { id: 7, limits: { rpm_limit: 0 }, group: undefined }), undefined);
});

it("knows whether model tokens count", () => {
  assert.equal(limitsOf({ id: 3, rpm_limit: 1 })?.hasTokens, false);
  assert.equal(limitsOf({ id: 3, tokens_day_limit: 1 })?.hasTokens, true);
});

it("takes the limits of the first group that has any, as the option says now", () => {
  let [text, generation] = ["", 1];
  const find = createGroupLimits({ text: () => text, generation: () => generation });
  assert.equal(find(["vip", "default"]), undefined);
  [text, generation] = ['{"default":{"rpm_limit":1},"other":{"rpm_limit":2}}', 2];
  assert.deepEqual(find(["vip", "default", "other"]), { rpm_limit: 1 });
});
