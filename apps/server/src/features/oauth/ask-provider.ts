import { UNPRINTABLE } from "@one-api/contract/unprintable";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";

const MAX_NAME_LENGTH = 64;

/**
 * Requests JSON from a provider. Throws `oauth-unreachable` without a JSON answer, and `oauth-refused` if the
 * schema does not match: providers answer a wrong code with an error object.
 */
export async function askProvider<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  address: string,
  request: Parameters<typeof fetchJson>[1],
): Promise<z.output<Schema>> {
  let answer: unknown;
  try {
    answer = await fetchJson(address, request);
  } catch {
    throw providerUnreachable(name);
  }
  const result = schema.safeParse(answer);
  if (!result.success) throw providerRefused(name);
  return result.data;
}

export function bearing(accessToken: string) {
  return { method: "GET" as const, headers: { authorization: `Bearer ${accessToken}` } };
}

export function providerUnreachable(name: string): AppError {
  return new AppError("oauth-unreachable", `${name} did not answer as expected. Try again in a moment.`, {
    values: { name },
  });
}

export function providerRefused(name: string): AppError {
  return new AppError("oauth-refused", `${name} does not accept this code: it is wrong, was used or has expired.`, {
    values: { name },
  });
}

export function switchedOff(name: string): AppError {
  return new AppError("oauth-off", `Logging in with ${name} is turned off.`, { values: { name } });
}

/** One line of at most 64 characters without control characters, as the name is not trusted. */
export function plainName(name: string): string {
  return name.replaceAll(UNPRINTABLE, " ").trim().slice(0, MAX_NAME_LENGTH);
}
