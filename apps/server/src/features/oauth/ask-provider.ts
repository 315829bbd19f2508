import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import { UNPRINTABLE } from "../users/index.ts";

const MAX_NAME_LENGTH = 64;

/**
 * Asks a provider, and reads what it answers by the schema. Throws `oauth-unreachable` when there is no answer that is JSON, and
 * `oauth-refused` when it is another than the schema's: providers answer a code that they do not take with an error object.
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
    throw new AppError("oauth-unreachable", `${name} did not answer as expected. Try again in a moment.`, {
      values: { name },
    });
  }
  const result = schema.safeParse(answer);
  if (!result.success) throw providerRefused(name);
  return result.data;
}

/** The request that reads with an access token. */
export function bearing(accessToken: string) {
  return { method: "GET" as const, headers: { authorization: `Bearer ${accessToken}` } };
}

/** The refusal of a code that the provider does not take. */
export function providerRefused(name: string): AppError {
  return new AppError("oauth-refused", `${name} does not accept this code: it is wrong, was used or has expired.`, {
    values: { name },
  });
}

/** The refusal of a way in that is not switched on. */
export function switchedOff(name: string): AppError {
  return new AppError("oauth-off", `Logging in with ${name} is turned off.`, { values: { name } });
}

/** One line that fits and turns no text behind it: the name comes from outside. */
export function plainName(name: string): string {
  return name.replaceAll(UNPRINTABLE, " ").trim().slice(0, MAX_NAME_LENGTH);
}
