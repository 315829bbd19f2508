import { MAX_TOKEN_BATCH } from "@one-api/contract/token";
import { z } from "zod";
import { readExpiry } from "./expiry.ts";
import type { TokenValues } from "./token-values.ts";

/** What can be wrong with a field; the texts have a sentence for each. */
type TokenProblem = "name" | "wholeNumber" | "batch" | "dollars" | "expiry" | "network" | "email";

/** The first problem of each field. */
type TokenProblems = Partial<Record<keyof TokenValues, TokenProblem>>;

/** The highest limit per minute that the server takes. */
export const MAX_LIMIT = 10_000_000;

/** The most dollars that can be added at once. */
export const MAX_RECHARGE_DOLLARS = 1_000_000_000;

const networkSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Returns the first entry that is neither an address nor a CIDR range. */
export function wrongNetwork(networks: readonly string[]): string | undefined {
  return networks.find((network) => !networkSchema.safeParse(network).success);
}

function isWhole(value: number | string, min: number, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

function isAmount(value: number | string): boolean {
  return value === "" || (typeof value === "number" && value >= 0 && value <= MAX_RECHARGE_DOLLARS);
}

function numberProblems(values: TokenValues): TokenProblems {
  const problems: TokenProblems = {};
  for (const field of ["rpm_limit", "dpm_limit", "tpm_limit"] as const) {
    if (!isWhole(values[field], 0, MAX_LIMIT)) problems[field] = "wholeNumber";
  }
  if (!values.unlimited_quota && !isWhole(values.remain_quota, 0, Number.MAX_SAFE_INTEGER))
    problems.remain_quota = "wholeNumber";
  if (!values.unlimited_quota && !isAmount(values.recharge_quota)) problems.recharge_quota = "dollars";
  if (!isWhole(values.batch_number, 1, MAX_TOKEN_BATCH)) problems.batch_number = "batch";
  return problems;
}

/** Returns what is wrong with the form. */
export function validateToken(values: TokenValues): TokenProblems {
  const email = values.email.trim();
  return {
    ...(values.name.trim() === "" ? { name: "name" as const } : {}),
    ...numberProblems(values),
    ...(readExpiry(values.expired_time) === undefined ? { expired_time: "expiry" as const } : {}),
    ...(wrongNetwork(values.subnet) === undefined ? {} : { subnet: "network" as const }),
    ...(email === "" || /^[^\s@]+@[^\s@]+$/.test(email) ? {} : { email: "email" as const }),
  };
}
