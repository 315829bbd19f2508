import { createTokenInputSchema, updateTokenInputSchema } from "@one-api/contract/token";
import { expect, test } from "vitest";
import { sampleToken } from "../testing/sample-token.ts";
import { createTokenPayload, updateTokenPayload } from "./token-payload.ts";
import { newTokenValues, storedTokenValues } from "./token-values.ts";

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

test("[TFORM-02] [TFORM-19] every field of a new token is sent", () => {
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
