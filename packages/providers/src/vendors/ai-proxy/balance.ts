import { type Balance } from "../../builders/balances.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";

/** In points. */
export const aiProxyBalance: Balance = async ({ base, connection }, getJson) => {
  // The balance has a host of its own; a key for another address must not be sent there.
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
