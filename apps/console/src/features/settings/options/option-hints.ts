import type { Translate } from "../../../lib/i18n/text-keys.ts";

/** Options whose effect needs a word beside their label. */
const HINTED = [
  "QuotaPerUnit",
  "RetryTimes",
  "ChatLinkLobe",
  "ChatLinkNextWeb",
  "DisplayTokenStatEnabled",
  "ApproximateTokenEnabled",
  "PricingEnabled",
  "StatusPageEnabled",
  "RootOnlySettings",
  "PoolMode",
  "CheapestMaxLatency",
  "PromptCacheAffinity",
  "QuotaForAddChannel",
  "CacheChannelEnabled",
  "GeminiNewEnabled",
  "GeminiUploadImageEnabled",
  "LogConsumeEnabled",
  "LogRetentionDays",
  "UsageRetentionDays",
  "LogBodiesEnabled",
  "LogBodiesMegabytes",
  "AuditRetentionDays",
  "ChannelDisableThreshold",
  "QuotaRemindThreshold",
  "ChannelBalanceRemindThreshold",
  "AutomaticDisableChannelEnabled",
  "AutomaticEnableChannelEnabled",
  "ChannelTestMinutes",
  "ChannelBalanceMinutes",
  "ChannelModelsMinutes",
  "PreConsumedQuota",
  "ModelAliases",
  "GroupLimits",
  "RateLimitQueueMs",
  "Logo",
  "LarkAddress",
  "GitHubAddress",
  "Notice",
  "HomePageContent",
  "About",
  "Footer",
  "UpdateAddress",
  "PriceListAddress",
  "PriceListPolicy",
  "UnpricedModels",
  "ModelRatio",
  "CompletionRatio",
  "GroupRatio",
] as const;

/** Hint below an option's label; undefined if it needs none. */
export function hintOf(key: string, t: Translate<"settings">): string | undefined {
  const hinted = HINTED.find((known) => known === key);
  return hinted === undefined ? undefined : t(`hints.${hinted}`);
}
