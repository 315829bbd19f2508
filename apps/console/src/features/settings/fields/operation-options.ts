import { choiceField, numberField } from "./declared-field.ts";
import type { OptionSection } from "../options/option-draft.ts";

const QUOTA = { kind: "quota" } as const;
const LINK = { kind: "text", placeholder: "https://" } as const;

export const OPERATION_SECTIONS = [
  {
    id: "general",
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
      numberField("QuotaPerUnit"),
      numberField("RetryTimes"),
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
    fields: [choiceField("PoolMode"), numberField("CheapestMaxLatency"), numberField("QuotaForAddChannel")],
  },
  {
    id: "log",
    switches: ["LogConsumeEnabled", "LogBodiesEnabled"],
    fields: [
      numberField("LogRetentionDays"),
      numberField("UsageRetentionDays"),
      numberField("LogBodiesDays"),
      numberField("LogBodiesMegabytes"),
      numberField("AuditRetentionDays"),
    ],
  },
  {
    id: "monitor",
    switches: ["AutomaticDisableChannelEnabled", "AutomaticEnableChannelEnabled"],
    fields: [
      numberField("ChannelDisableThreshold"),
      { key: "QuotaRemindThreshold", ...QUOTA },
      numberField("ChannelTestMinutes"),
      numberField("ChannelBalanceMinutes"),
      numberField("ChannelModelsMinutes"),
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
    id: "aliases",
    switches: [],
    fields: [{ key: "ModelAliases", kind: "aliases", placeholder: '{"fast": ["gpt-4o-mini", "claude-haiku-4-5"]}' }],
  },
  {
    id: "prices",
    switches: [],
    fields: [{ key: "PriceListAddress", ...LINK }, choiceField("PriceListPolicy"), choiceField("UnpricedModels")],
  },
  {
    id: "limits",
    switches: [],
    fields: [
      numberField("RateLimitQueueMs"),
      { key: "GroupLimits", kind: "limits", placeholder: '{"default": {"rpm_limit": 60}}' },
    ],
  },
] as const satisfies readonly OptionSection[];

export type OperationSection = (typeof OPERATION_SECTIONS)[number];
