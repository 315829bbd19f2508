import { createTokenInputSchema, updateTokenInputSchema } from "@one-api/contract/token";
import { expect, test } from "vitest";
import { findProblems } from "../../../lib/validate-form.ts";
import { sampleToken } from "../testing/sample-token.ts";
import {
  createTokenPayload,
  newTokenValues,
  storedTokenValues,
  tokenInput,
  type TokenValues,
  updateTokenPayload,
} from "./token-form-model.ts";

const seconds = (text: string) => new Date(text).getTime() / 1_000;

test("[TFORM-05] [TFORM-12] [TFORM-22..24] a new token starts with the defaults", () => {
  const payload = createTokenPayload({ ...newTokenValues(), name: " Main " });
  expect(payload).toMatchObject({
    name: "Main",
    remain_quota: 500_000,
    unlimited_quota: false,
    rpm_limit: 600,
    dpm_limit: 60,
    tpm_limit: 60,
    batch_number: 1,
    models: "",
    subnet: "",
  });
  const monthAhead = Date.now() / 1_000 + 30 * 24 * 3_600;
  expect(Math.abs((payload.expired_time ?? 0) - monthAhead)).toBeLessThan(60);
});

test("[TFORM-02] [TFORM-19] [TFORM-01] every field of a new token is sent", () => {
  const payload = createTokenPayload({
    ...newTokenValues(),
    name: "Batch",
    batch_number: 3,
    expired_time: "2030-01-02 03:04:05",
    models: ["gpt-4o", " o3", "gpt-4o"],
    subnet: ["192.0.2.0/24", "2001:db8::/32"],
    rpm_limit: 0,
    email: " a@example.com ",
    custom_contact: "Ann",
    moderations_enable: true,
  });
  expect(payload).toEqual({
    name: "Batch",
    batch_number: 3,
    expired_time: seconds("2030-01-02T03:04:05"),
    remain_quota: 500_000,
    unlimited_quota: false,
    models: "gpt-4o,o3",
    subnet: "192.0.2.0/24,2001:db8::/32",
    rpm_limit: 0,
    dpm_limit: 60,
    tpm_limit: 60,
    email: "a@example.com",
    custom_contact: "Ann",
    moderations_enable: true,
  });
  expect(createTokenInputSchema.safeParse(payload).success).toBe(true);
});

test("an edit names the quota only when it was changed, so that what was spent meanwhile stays spent", () => {
  const token = sampleToken();
  const values = storedTokenValues(token);
  const untouched = updateTokenPayload({ ...values, name: "New name" }, token);
  expect(untouched).toMatchObject({ id: 7, name: "New name", expired_time: -1 });
  expect(untouched).not.toHaveProperty("remain_quota");
  expect(untouched).not.toHaveProperty("recharge_quota");
  expect(updateTokenPayload({ ...values, remain_quota: 0 }, token)).toMatchObject({ remain_quota: 0 });
});

test("[TFORM-21] a recharge is sent in dollars", () => {
  const token = sampleToken();
  const payload = updateTokenPayload({ ...storedTokenValues(token), recharge_quota: 12.5 }, token);
  expect(payload).toMatchObject({ recharge_quota: 12.5 });
  expect(payload).not.toHaveProperty("remain_quota");
  expect(updateTokenInputSchema.safeParse(payload).success).toBe(true);
});

test("an unlimited token is not recharged", () => {
  const token = sampleToken();
  const payload = updateTokenPayload({ ...storedTokenValues(token), recharge_quota: 5, unlimited_quota: true }, token);
  expect(payload).toMatchObject({ unlimited_quota: true });
  expect(payload).not.toHaveProperty("recharge_quota");
});

function problemsOf(changes: Partial<TokenValues>) {
  const { schema, input } = tokenInput({ ...newTokenValues(), name: "Main", ...changes }, undefined);
  return Object.fromEntries([...findProblems(schema, input)].map(([field, { problem }]) => [field, problem]));
}

test("a new token with a name is valid", () => {
  expect(problemsOf({})).toEqual({});
});

test("[TFORM-03] a token needs a name", () => {
  expect(problemsOf({ name: "  " })).toEqual({ name: "missing" });
});

test("[TFORM-04] numbers are integers from 0 on", () => {
  expect(problemsOf({ rpm_limit: 1.5, dpm_limit: "", tpm_limit: -1, remain_quota: 0.5, batch_number: 0 })).toEqual({
    rpm_limit: "wrong-type",
    dpm_limit: "wrong-type",
    tpm_limit: "too-small",
    remain_quota: "wrong-type",
    batch_number: "too-small",
  });
});

test("[TLIMIT-11] 0 is a limit that can be set", () => {
  expect(problemsOf({ rpm_limit: 0, dpm_limit: 0, tpm_limit: 0 })).toEqual({});
});

test("an unlimited token needs no quota", () => {
  expect(problemsOf({ unlimited_quota: true, remain_quota: "" })).toEqual({});
});

test("[TFORM-13] an expiry must be a moment", () => {
  expect(problemsOf({ expired_time: "soon" })).toEqual({ expired_time: "wrong-type" });
});

test("an e-mail address may be left out, and must look like one otherwise", () => {
  expect(problemsOf({ email: "nobody" })).toEqual({ email: "not-valid" });
  expect(problemsOf({ email: "a@example.com" })).toEqual({});
});

test("limits beyond those of a minute are sent where they are set or changed", () => {
  const values = { ...newTokenValues(), name: "App", concurrent_limit: 3, tokens_day_limit: 0 };
  expect(createTokenPayload(values)).toMatchObject({ concurrent_limit: 3 });
  expect(createTokenPayload(values)).not.toHaveProperty("tokens_day_limit");
  const stored = sampleToken({ concurrent_limit: 3, requests_day_limit: 10 });
  const edited = { ...storedTokenValues(stored), requests_day_limit: 0 };
  expect(updateTokenPayload(edited, stored)).toMatchObject({ requests_day_limit: 0 });
  expect(updateTokenPayload(edited, stored)).not.toHaveProperty("concurrent_limit");
  expect(problemsOf({ requests_5h_limit: 1.5 })).toEqual({ requests_5h_limit: "wrong-type" });
  expect(problemsOf({ requests_5h_limit: "" })).toEqual({ requests_5h_limit: "wrong-type" });
});

test("a budget needs an amount", () => {
  expect(problemsOf({ budget_period: "daily" })).toEqual({ budget_quota: "wrong-type" });
});

test("of a stored token an amount that was emptied or is wrong is refused", () => {
  const token = sampleToken();
  const problems = (changes: Partial<TokenValues>) => {
    const { schema, input } = tokenInput({ ...storedTokenValues(token), ...changes }, token);
    return [...findProblems(schema, input).keys()];
  };
  expect(problems({})).toEqual([]);
  expect(problems({ remain_quota: "" })).toEqual(["remain_quota"]);
  expect(problems({ recharge_quota: -1 })).toEqual(["recharge_quota"]);
  expect(problems({ recharge_quota: -1, remain_quota: "", unlimited_quota: true })).toEqual([]);
});
