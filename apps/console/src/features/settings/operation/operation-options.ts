import type { OptionSection } from "../system/system-options.ts";

const QUOTA = { kind: "quota" } as const;
const LINK = { kind: "text", placeholder: "https://" } as const;

/** The settings about how the gateway works, in their order on the page. The section Ratio has an editor of its own. */
export const OPERATION_SECTIONS = [
  {
    id: "usage",
    switches: [
      "DisplayInCurrencyEnabled",
      "DisplayTokenStatEnabled",
      "ApproximateTokenEnabled",
      "PricingEnabled",
      "StatusPageEnabled",
      "RootOnlySettings",
    ],
    fields: [
      { key: "TopUpLink", ...LINK },
      { key: "ChatLink", ...LINK },
      { key: "ChatLinkNextWeb", ...LINK },
      { key: "ChatLinkLobe", ...LINK },
      { key: "QuotaPerUnit", kind: "number", min: 0.01, max: 1_000_000_000, step: 0.01 },
      { key: "RetryTimes", kind: "number", min: 0, max: 10 },
    ],
  },
  {
    id: "channel",
    switches: [
      "AutoAddChannelEnabled",
      "CacheChannelEnabled",
      "GeminiNewEnabled",
      "GeminiUploadImageEnabled",
      "PromptCacheAffinity",
    ],
    fields: [
      { key: "PoolMode", kind: "choice", choices: ["random", "polling"] },
      { key: "QuotaForAddChannel", kind: "number", min: 0, max: 10_000 },
    ],
  },
  {
    id: "log",
    switches: ["LogConsumeEnabled", "LogBodiesEnabled"],
    fields: [
      { key: "LogRetentionDays", kind: "number", min: 0, max: 36_500 },
      { key: "LogBodiesDays", kind: "number", min: 1, max: 90 },
      { key: "LogBodiesMegabytes", kind: "number", min: 1, max: 1_000_000 },
      { key: "AuditRetentionDays", kind: "number", min: 0, max: 36_500 },
    ],
  },
  {
    id: "monitor",
    switches: ["AutomaticDisableChannelEnabled", "AutomaticEnableChannelEnabled"],
    fields: [
      { key: "ChannelDisableThreshold", kind: "number", min: 0, max: 3_600 },
      { key: "QuotaRemindThreshold", ...QUOTA },
    ],
  },
  {
    id: "quota",
    switches: [],
    fields: [
      { key: "QuotaForNewUser", ...QUOTA },
      { key: "PreConsumedQuota", ...QUOTA },
      { key: "QuotaForInviter", ...QUOTA },
      { key: "QuotaForInvitee", ...QUOTA },
    ],
  },
  {
    id: "prices",
    switches: [],
    fields: [{ key: "PriceListAddress", ...LINK }],
  },
] as const satisfies readonly OptionSection[];

export type OperationSection = (typeof OPERATION_SECTIONS)[number];
