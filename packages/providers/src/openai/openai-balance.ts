import type { ChannelType } from "@one-api/contract/channel-types";
import { bearerHeaders } from "../formats/openai/openai-compatible.ts";
import type { Provider } from "../provider.ts";
import { readNumber, recordOf } from "../shared/json-fields.ts";
import { appendPath, baseUrlOf, hasVersion } from "../shared/upstream-url.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * The balance in dollars as OpenAI's old billing pages and most gateways in this format report it: the hard limit less what was
 * used since the month began, or in the last hundred days by accounts without a payment method.
 */
export function openAiBalance(type: ChannelType): NonNullable<Provider["balance"]> {
  return async (connection, getJson, now) => {
    const base = baseUrlOf(type, connection);
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
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
