import type { Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";
import type { RefusalValues } from "@one-api/contract/logs/refusal-values";
import { formatInteger, formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";

/** Codes of refusals whose text is complete. */
const TOLD_WHOLE = [
  "token_disabled",
  "token_expired",
  "key_replaced",
  "account_disabled",
  "network_not_allowed",
  "channel_not_allowed",
  "model_not_allowed",
  "model_not_found",
  "model_unavailable",
  "content_policy_violation",
  "not_moderated",
  "body_too_large",
  "body_too_slow",
  "loop_detected",
  "overloaded",
] as const;

/** Codes whose text names only the kind of refusal; the gateway's English message has the rest. */
const TOLD_IN_PART = [
  "insufficient_quota",
  "budget_exceeded",
  "rate_limit_exceeded",
  "moderation_unavailable",
  "invalid_json",
  "invalid_body",
  "invalid_form",
  "invalid_value",
  "invalid_header",
  "invalid_path",
  "invalid_version",
  "invalid_channel",
  "invalid_image_url",
  "invalid_batch_line",
  "text_too_long",
  "context_length_exceeded",
  "request_too_large",
  "file_too_large",
  "too_many_files",
  "too_many_batches",
  "not_supported",
  "not_found",
  "unknown_url",
  "api_not_implemented",
  "upgrade_required",
  "unavailable",
  "gateway_stopped",
  "session_idle",
] as const;

interface RefusalWords {
  readonly sentence: string;
  /** The gateway's own text in English, if the sentence lacks a part of it; else empty. */
  readonly quote: string;
}

type Refusal = Pick<LogDetail, "refusal" | "refusal_values" | "refusal_count">;

/** Returns what a refusal of the gateway is called in the reader's language; undefined for other entries, and codes that the console does not know. */
export function useRefusalWords(): (
  log: Pick<Log, "content" | "model_name">,
  detail: Refusal | undefined,
) => RefusalWords | undefined {
  const { t, language } = useTranslation("logs");
  const toldByValues = useTellValues();
  return ({ content, model_name: model }, detail) => {
    if (detail?.refusal === undefined) return undefined;
    const { refusal, refusal_values: values = {}, refusal_count: count = 1 } = detail;
    const whole = TOLD_WHOLE.find((code) => code === refusal);
    const inPart = TOLD_IN_PART.find((code) => code === refusal);
    const known = whole ?? inPart;
    if (known === undefined) return undefined;
    const full = whole === undefined ? toldByValues(refusal, values) : t(`refused.${whole}`, { model });
    const quote = full === undefined ? content : "";
    const many = count > 1 ? t("refused.many", { count, amount: formatInteger(count, language) }) : "";
    return { sentence: `${full ?? t(`refused.${known}`)}${many}`, quote };
  };
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** Returns the sentence of a refusal that has numbers; undefined where they are not there. */
function useTellValues(): (code: string, values: RefusalValues) => string | undefined {
  const { t, language } = useTranslation("logs");
  const quota = useFormatQuota();
  return (code, values) => {
    const { limited, limit, window = MINUTE_SECONDS, needed, left, whose, group, amount, renews_at: renewsAt } = values;
    if (code === "rate_limit_exceeded" && limited !== undefined && limit !== undefined)
      return limited === "concurrent" || window <= MINUTE_SECONDS
        ? t(`refused.limit.${limited}`, { limit: formatInteger(limit, language) })
        : t(`refused.longLimit.${limited}`, { limit: formatInteger(limit, language), hours: window / HOUR_SECONDS });
    if (needed === undefined || left === undefined) return undefined;
    const told = { needed: quota(needed), left: quota(left) };
    if (code === "insufficient_quota") return t("refused.quota", told);
    if (code !== "budget_exceeded" || amount === undefined || renewsAt === undefined) return undefined;
    const budget = { ...told, amount: quota(amount), time: formatTime(renewsAt) };
    if (group !== undefined) return t("refused.namedGroupBudget", { ...budget, group });
    if (whose === "group") return t("refused.groupBudget", budget);
    return t(whose === "token" ? "refused.tokenBudget" : "refused.accountBudget", budget);
  };
}
