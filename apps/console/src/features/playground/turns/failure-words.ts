import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import type { AnswerFailure } from "../chat/conversation.ts";

// Callers get no more of a refusal than its code and the gateway's English sentence (reserve-job.ts), which has the amounts.
const SHORT_OF_QUOTA = /up to (?<needed>\d+) quota, and (?<left>-?\d+) is left/;
const OVER_BUDGET =
  /budget of this (?<whose>account|token) is (?<amount>\d+) quota, and (?<left>-?\d+) of it is left; this request can cost up to (?<needed>\d+)\. The budget renews at (?<renewsAt>\S+Z)/;

/** Returns what a failure is in the reader's language where it is about quota, with amounts as the console shows them; else in the words that came with it. */
export function useFailureWords(): (failure: AnswerFailure) => string {
  const { t } = useTranslation("playground");
  const quota = useFormatQuota();
  return ({ code, message }) => {
    if (code === "insufficient_quota") {
      const { needed, left } = SHORT_OF_QUOTA.exec(message)?.groups ?? {};
      if (needed === undefined || left === undefined) return t("failure.quotaShort");
      return t("failure.quotaLeft", { needed: quota(Number(needed)), left: quota(Number(left)) });
    }
    if (code !== "budget_exceeded") return message;
    const { whose, amount, left, needed, renewsAt } = OVER_BUDGET.exec(message)?.groups ?? {};
    if (renewsAt === undefined) return t("failure.budgetSpent");
    return t(whose === "token" ? "failure.tokenBudget" : "failure.accountBudget", {
      amount: quota(Number(amount)),
      left: quota(Number(left)),
      needed: quota(Number(needed)),
      time: formatTime(Date.parse(renewsAt) / 1_000),
    });
  };
}
