import { type Balance, besideVersion } from "../../builders/balances.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { readNumber, recordOf } from "../../shared/json-fields.ts";

const SILICONFLOW_SUCCESS = 20_000;

/** Source: https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info */
export const siliconFlowBalance: Balance = async (account, getJson) => {
  const answer = recordOf(await getJson(besideVersion(account, "/v1/user/info"), bearerHeaders(account.connection)));
  if (answer.code !== SILICONFLOW_SUCCESS) {
    throw new Error("SiliconFlow refused to tell the balance: check the channel's key.");
  }
  return readNumber(recordOf(answer.data).totalBalance, "data.totalBalance");
};
