import { bearerHeaders, type Account, type OpenAiCompatibleOptions } from "./vendors/openai-compatible.ts";
import { listOf, readNumber, recordOf } from "./shared/json-fields.ts";
import { appendPath, hasVersion, withoutVersion } from "./shared/upstream-url.ts";

type Balance = NonNullable<OpenAiCompatibleOptions["balance"]>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** An address beside the versioned API. */
function besideVersion({ base }: Account, path: string): string {
  return appendPath(withoutVersion(base), path);
}

/**
 * The balance in dollars as OpenAI's old billing pages and most gateways in this format report it: the hard limit less what was
 * used since the month began, or in the last hundred days by accounts without a payment method.
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

/** What several resellers answer at `/dashboard/billing/credit_grants`, under a name of their own. */
export function creditGrants(field: "total_available" | "total_remaining"): Balance {
  return async (account, getJson) => {
    const url = besideVersion(account, "/dashboard/billing/credit_grants");
    return readNumber(recordOf(await getJson(url, bearerHeaders(account.connection)))[field], field);
  };
}

/** In points. */
export const aiProxyBalance: Balance = async ({ base, connection }, getJson) => {
  // The question has a host of its own; a key for another address must not be sent there.
  if (!/(?:^|\.)aiproxy\.io$/.test(base.hostname)) {
    throw new Error("The balance is known for AI Proxy's own address only: leave base_url empty to see it.");
  }
  const answer = recordOf(
    await getJson("https://aiproxy.io/api/report/getUserOverview", { "api-key": connection.key }),
  );
  if (answer.success !== true) {
    throw new Error("AI Proxy refused to tell the balance: check the channel's key.");
  }
  return readNumber(recordOf(answer.data).totalPoints, "data.totalPoints");
};

/** The question takes the key as a query parameter and nowhere else, so its errors must not name the address. */
export const openAiSbBalance: Balance = async (account, getJson) => {
  const url = new URL(besideVersion(account, "/sb-api/user/status"));
  url.searchParams.set("api_key", account.connection.key);
  const answer = await getJson(url.href, {}).catch(() => {
    throw new Error("OpenAI-SB did not tell the balance: check the channel's key, then try again later.");
  });
  return readNumber(recordOf(recordOf(answer).data).credit, "data.credit");
};

/** Source: https://openrouter.ai/docs/api-reference/credits */
export const openRouterBalance: Balance = async (account, getJson) => {
  const answer = await getJson(besideVersion(account, "/v1/credits"), bearerHeaders(account.connection));
  const credits = recordOf(recordOf(answer).data);
  return readNumber(credits.total_credits, "data.total_credits") - readNumber(credits.total_usage, "data.total_usage");
};

/** Source: https://api-docs.deepseek.com/api/get-user-balance */
export const deepSeekBalance: Balance = async (account, getJson) => {
  const answer = recordOf(await getJson(besideVersion(account, "/user/balance"), bearerHeaders(account.connection)));
  const yuan = listOf(answer.balance_infos)
    .map(recordOf)
    .find((info) => info.currency === "CNY");
  return readNumber(yuan?.total_balance, "balance_infos (currency CNY)");
};

/** In yuan, as the Chinese site counts. Source: https://platform.moonshot.cn/docs/api/balance */
export const moonshotBalance: Balance = async (account, getJson) => {
  // The answer names no currency.
  if (/(?:^|\.)moonshot\.ai$/.test(account.base.hostname)) {
    throw new Error("Moonshot's international site counts in dollars: the balance is shown for api.moonshot.cn only.");
  }
  const url = besideVersion(account, "/v1/users/me/balance");
  const { data } = recordOf(await getJson(url, bearerHeaders(account.connection)));
  return readNumber(recordOf(data).available_balance, "data.available_balance");
};

const NOVITA_UNITS_PER_DOLLAR = 10_000;

/** The question stands beside the API that is like OpenAI's. Source: https://novita.ai/docs/api-reference/basic-get-user-balance */
export const novitaBalance: Balance = async ({ base, connection }, getJson) => {
  const host = new URL(base);
  host.pathname = withoutVersion(base).pathname.replace(/\/openai\/*$/, "");
  const url = appendPath(host, "/openapi/v1/billing/balance/detail");
  const { availableBalance } = recordOf(await getJson(url, bearerHeaders(connection)));
  return readNumber(availableBalance, "availableBalance") / NOVITA_UNITS_PER_DOLLAR;
};

const SILICONFLOW_SUCCESS = 20_000;

/** Source: https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info */
export const siliconFlowBalance: Balance = async (account, getJson) => {
  const answer = recordOf(await getJson(besideVersion(account, "/v1/user/info"), bearerHeaders(account.connection)));
  if (answer.code !== SILICONFLOW_SUCCESS) {
    throw new Error("SiliconFlow refused to tell the balance: check the channel's key.");
  }
  return readNumber(recordOf(answer.data).totalBalance, "data.totalBalance");
};
