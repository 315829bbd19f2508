import { expect, test } from "vitest";
import { newTokenValues, type TokenValues } from "./token-values.ts";
import { validateToken, wrongNetwork } from "./validate-token.ts";

const problemsOf = (changes: Partial<TokenValues>) => validateToken({ ...newTokenValues(), name: "Main", ...changes });

test("a new token with a name is valid", () => {
  expect(problemsOf({})).toEqual({});
});

test("[TFORM-03] a token needs a name", () => {
  expect(problemsOf({ name: "  " })).toEqual({ name: "name" });
});

test("[TFORM-04] numbers are integers from 0 on", () => {
  expect(problemsOf({ rpm_limit: 1.5, dpm_limit: "", tpm_limit: -1, remain_quota: 0.5, batch_number: 0 })).toEqual({
    rpm_limit: "wholeNumber",
    dpm_limit: "wholeNumber",
    tpm_limit: "wholeNumber",
    remain_quota: "wholeNumber",
    batch_number: "batch",
  });
});

test("[TLIMIT-11] 0 is a limit that can be set", () => {
  expect(problemsOf({ rpm_limit: 0, dpm_limit: 0, tpm_limit: 0 })).toEqual({});
});

test("an unlimited token needs no quota", () => {
  expect(problemsOf({ unlimited_quota: true, remain_quota: "" })).toEqual({});
});

test("[TFORM-13] an expiry must be a moment", () => {
  expect(problemsOf({ expired_time: "soon" })).toEqual({ expired_time: "expiry" });
});

test("[TLIMIT-27] networks are IPv4 and IPv6 ranges and addresses", () => {
  expect(wrongNetwork(["192.0.2.0/24", "198.51.100.7", "2001:db8::/32", "2001:db8::1"])).toBeUndefined();
  expect(wrongNetwork(["192.0.2.0/24", "192.0.2.0/33"])).toBe("192.0.2.0/33");
  expect(wrongNetwork(["office"])).toBe("office");
});

test("an e-mail address may be left out, and must look like one otherwise", () => {
  expect(problemsOf({ email: "nobody" })).toEqual({ email: "email" });
  expect(problemsOf({ email: "a@example.com" })).toEqual({});
});
