import * as z from "zod/mini";
import { auditDetailSchema } from "../audit.ts";
import { defineCall } from "../call.ts";
import { channelCostsSchema, dialectUrlsSchema, modelMappingSchema } from "../channels/channel-json.ts";
import { CHANNEL_TYPES } from "../channels/channel-types.ts";
import { modelAliasesSchema } from "../channels/model-aliases.ts";
import { BUDGET_PERIODS } from "../budget.ts";
import { quotaSchema } from "../fields.ts";
import { budgetGroupSchema } from "../limits/group-budget.ts";
import { groupLimitsSchema } from "../limits/limits.ts";
import { priceTableSchema } from "../prices/model-prices.ts";
import { OPTION_DEFINITIONS, OPTION_KEYS, type OptionKey } from "../options/option-definitions.ts";
import type { OptionDefinition } from "../options/define-option.ts";

export const OPTION_OF_SECTION = {
  dollars: "ModelPrices",
  models: "ModelRatio",
  completion: "CompletionRatio",
  groups: "GroupRatio",
  aliases: "ModelAliases",
  limits: "GroupLimits",
} as const satisfies Record<string, OptionKey>;

const IN_SECTIONS: ReadonlySet<OptionKey> = new Set(Object.values(OPTION_OF_SECTION));

function optionValueSchema(key: OptionKey) {
  const { kind, choices = [] }: OptionDefinition = OPTION_DEFINITIONS[key];
  if (kind === "flag") return z.boolean();
  if (kind === "integer" || kind === "number") return z.number();
  return kind === "choice" ? z.enum(choices) : z.string();
}

const DOCUMENT_OPTIONS = OPTION_KEYS.filter((key) => !IN_SECTIONS.has(key));

/** Null sets the default again; an absent option stays as it is. */
function optionsSchema(keys: readonly OptionKey[]) {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, z.optional(z.nullable(optionValueSchema(key)))])));
}

export const ratiosSchema = z.record(z.string(), z.number());

export const DOCUMENT_STATUSES = ["enabled", "disabled", "reserve"] as const;

const textsSchema = z.array(z.string());
const jsonObjectSchema = z.record(z.string(), z.unknown());

/** A channel by its name, without pause and end of its key. An absent field has the default; an absent secret stays. */
export const documentChannelSchema = z.strictObject({
  name: z.string(),
  type: z.enum(CHANNEL_TYPES.map(({ name }) => name)),
  /** `enabled` and `reserve` leave a channel that the gateway disabled or enabled itself. */
  status: z.optional(z.enum(DOCUMENT_STATUSES)),
  key: z.optional(z.string()),
  base_url: z.optional(z.string()),
  dialect_urls: z.optional(dialectUrlsSchema),
  models: z.optional(textsSchema),
  group: z.optional(textsSchema),
  tags: z.optional(textsSchema),
  priority: z.optional(z.int()),
  weight: z.optional(z.int()),
  model_mapping: z.optional(modelMappingSchema),
  costs: z.optional(channelCostsSchema),
  overrides: z.optional(jsonObjectSchema),
  first_token_seconds: z.optional(z.int()),
  idle_seconds: z.optional(z.int()),
  total_seconds: z.optional(z.int()),
  config: z.optional(jsonObjectSchema),
  proxy: z.optional(z.string()),
  organization: z.optional(z.string()),
  other: z.optional(z.string()),
  system_prompt: z.optional(z.string()),
  soft_limit_usd: z.optional(z.int()),
  calc_prompt: z.optional(z.boolean()),
  test_model: z.optional(z.string()),
  scheduled_checks: z.optional(z.boolean()),
  test_minutes: z.optional(z.int()),
  balance_minutes: z.optional(z.int()),
  models_minutes: z.optional(z.int()),
});

export type DocumentChannel = z.infer<typeof documentChannelSchema>;

/** Amount and period of a group's budget, without its use. */
const groupBudgetSchema = z.strictObject({
  quota: quotaSchema.check(z.minimum(1)),
  period: z.enum(BUDGET_PERIODS),
});

export type DocumentBudgets = Readonly<Record<string, z.infer<typeof groupBudgetSchema>>>;

/** Channels, options, prices, aliases, limits and group budgets. An absent section stays as it is; a present list or table is complete. */
export const configurationSchema = z.strictObject({
  version: z.literal(1),
  options: z.optional(optionsSchema(DOCUMENT_OPTIONS)),
  prices: z.optional(
    z.strictObject({
      dollars: z.optional(priceTableSchema),
      models: z.optional(ratiosSchema),
      completion: z.optional(ratiosSchema),
      groups: z.optional(ratiosSchema),
    }),
  ),
  aliases: z.optional(modelAliasesSchema),
  limits: z.optional(groupLimitsSchema),
  group_budgets: z.optional(z.record(budgetGroupSchema, groupBudgetSchema)),
  channels: z.optional(z.array(documentChannelSchema)),
});

export type Configuration = z.infer<typeof configurationSchema>;

/** A configuration without secrets: that of an export cannot have them. */
const exportedSchema = z.extend(configurationSchema, {
  options: optionsSchema(DOCUMENT_OPTIONS.filter((key) => OPTION_DEFINITIONS[key].kind !== "secret")),
  channels: z.array(z.omit(documentChannelSchema, { key: true })),
});

export type ExportedConfiguration = z.infer<typeof exportedSchema>;

const configurationChangeSchema = z.object({
  action: z.enum(["create", "change", "delete"]),
  object: z.string(),
  /** Secrets are masked. Empty for a deletion. */
  fields: z.array(auditDetailSchema),
});

export type ConfigurationChange = z.infer<typeof configurationChangeSchema>;

const MOST_BYTES = 16 * 1024 * 1024;

export const exportConfiguration = defineCall({
  method: "GET",
  path: "/api/configuration/",
  access: "admin",
  summary:
    "Returns channels, options that differ from their default, prices, aliases, limits and group budgets, without secrets",
  data: exportedSchema,
});

export const planConfiguration = defineCall({
  method: "POST",
  path: "/api/configuration/plan",
  access: "admin",
  changesState: false,
  mostBytes: MOST_BYTES,
  summary: "Returns what a configuration would change; changes nothing",
  body: z.object({ configuration: configurationSchema }),
  data: z.array(configurationChangeSchema),
});

export const applyConfiguration = defineCall({
  method: "POST",
  path: "/api/configuration/apply",
  access: "admin",
  mostBytes: MOST_BYTES,
  summary: "Applies a configuration, all or nothing, and returns what it changed",
  body: z.object({
    configuration: configurationSchema,
    /** Whether channels that the document does not name may be deleted; false refuses them. */
    allow_deletions: z._default(z.boolean(), false),
  }),
  data: z.array(configurationChangeSchema),
});
