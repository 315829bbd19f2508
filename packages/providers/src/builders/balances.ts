import { bearerHeaders, type Account, type OpenAiCompatibleOptions } from "./openai-compatible.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, hasVersion, withoutVersion } from "../shared/upstream-url.ts";

export type Balance = NonNullable<OpenAiCompatibleOptions["balance"]>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns an address below the base without its version. */
export function besideVersion({ base }: Account, path: string): string {
  return appendPath(withoutVersion(base), path);
}

/**
 * Balance in dollars from OpenAI's old billing pages: hard limit less usage. Usage counts from the start of the month, or over 100 days for
 * accounts without a payment method.
 */
export const openAiBalance: Balance = async ({ base, connection }, getJson, now) => {
  const prefix = `${hasVersion(base) ? "" : "/v1"}/dashboard/billing`;
  const headers = bearerHeaders(connection);
  const subscription = recordOf(await getJson(appendPath(base, `${prefix}/subscription`), headers));
  const limit = readNumber(subscription.hard_limit_usd, "hard_limit_usd");

  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const start = subscription.has_payment_method === true ? monthStart : new Date(now.getTime() - 100 * DAY_MS);
  const usageUrl = new URL(appendPath(base, `${prefix}/usage`));
  usageUrl.searchParams.set("start_date", dayOf(start));
  usageUrl.searchParams.set("end_date", dayOf(now));
  const usage = recordOf(await getJson(usageUrl.href, headers));
  return limit - readNumber(usage.total_usage, "total_usage") / 100;
};

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Balance from `/dashboard/billing/credit_grants` of several resellers; the field depends on the reseller. */
export function creditGrants(field: "total_available" | "total_remaining"): Balance {
  return async (account, getJson) => {
    const url = besideVersion(account, "/dashboard/billing/credit_grants");
    return readNumber(recordOf(await getJson(url, bearerHeaders(account.connection)))[field], field);
  };
}
