import { isRootsOwn, type OptionKey } from "@one-api/contract/option";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import type { OperationSection } from "./operation/operation-options.ts";
import type { OtherSection } from "./other/other-options.ts";
import type { SystemSection } from "./system/system-options.ts";

/** A section of any of the tabs that set options. */
export type Section = SystemSection | OperationSection | OtherSection;

export type SectionField = Section["fields"][number];

/** The part of a section that the viewer may set. */
export interface ShownSection {
  readonly id: Section["id"];
  readonly switches: readonly Section["switches"][number][];
  readonly fields: readonly SectionField[];
}

/** Returns the part of the section that the viewer may set. */
export function settablePart(
  section: Section,
  { isRoot, isNarrowed }: { readonly isRoot: boolean; readonly isNarrowed: boolean },
): ShownSection {
  const maySet = (key: OptionKey) => isRoot || !isRootsOwn(key, isNarrowed);
  const switches: ShownSection["switches"] = section.switches;
  const fields: ShownSection["fields"] = section.fields;
  return { id: section.id, switches: switches.filter(maySet), fields: fields.filter(({ key }) => maySet(key)) };
}

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
  "GroupLimits",
  "RateLimitQueueMs",
  "Logo",
  "Notice",
  "HomePageContent",
  "About",
  "Footer",
  "UpdateAddress",
  "PriceListAddress",
] as const;

/** Hint below an option's label; undefined if it needs none. */
export function hintOf(key: string, t: Translate<"settings">): string | undefined {
  const hinted = HINTED.find((known) => known === key);
  return hinted === undefined ? undefined : t(`hints.${hinted}`);
}
