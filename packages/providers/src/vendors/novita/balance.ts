import { type Balance } from "../../builders/balances.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";
import { appendPath, withoutVersion } from "../../shared/upstream-url.ts";

const NOVITA_UNITS_PER_DOLLAR = 10_000;

/** The balance is outside of the OpenAI-compatible API. Source: https://novita.ai/docs/api-reference/basic-get-user-balance */
export const novitaBalance: Balance = async ({ base, connection }, getJson) => {
  const host = new URL(base);
  host.pathname = withoutVersion(base).pathname.replace(/\/openai\/*$/, "");
  const url = appendPath(host, "/openapi/v1/billing/balance/detail");
  const { availableBalance } = recordOf(await getJson(url, bearerHeaders(connection)));
  return readNumber(availableBalance, "availableBalance") / NOVITA_UNITS_PER_DOLLAR;
};
