import {
  type ExportedConfiguration,
  OPTION_OF_SECTION,
  ratiosSchema,
} from "@one-api/contract/configuration/configuration";
import { modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import { groupLimitsSchema } from "@one-api/contract/limits/limits";
import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import { parsePrices } from "@one-api/contract/prices/model-prices";
import type * as z from "zod/mini";
import type { CallContext } from "../../core/call-context.ts";
import { listGroupBudgets } from "../budgets/index.ts";
import { listSealedChannels } from "../channels/index.ts";
import type { LoadedOptionStore } from "../options/index.ts";
import { writeChannel } from "./channel-document.ts";

const SECTIONS: ReadonlySet<OptionKey> = new Set(Object.values(OPTION_OF_SECTION));

/** The configuration without secrets, and without options that have their default. */
export async function exportConfiguration(
  context: CallContext,
  options: LoadedOptionStore,
): Promise<ExportedConfiguration> {
  await options.followOthers();
  const texts = new Map(options.list().map(({ key, value }) => [key, value]));
  const changed = [...texts].filter(([key, text]) => !SECTIONS.has(key) && text !== OPTION_DEFINITIONS[key].default);
  const channels = (await listSealedChannels(context.database.db)).map(writeChannel);
  const table = <Table>(key: OptionKey, schema: z.ZodMiniType<Table>) =>
    schema.parse(JSON.parse(texts.get(key) || "{}"));
  return {
    version: 1,
    options: Object.fromEntries(changed.map(([key, text]) => [key, valueOf(key, text)])),
    prices: {
      dollars: readDollars(texts.get(OPTION_OF_SECTION.dollars) ?? ""),
      models: table(OPTION_OF_SECTION.models, ratiosSchema),
      completion: table(OPTION_OF_SECTION.completion, ratiosSchema),
      groups: table(OPTION_OF_SECTION.groups, ratiosSchema),
    },
    aliases: table(OPTION_OF_SECTION.aliases, modelAliasesSchema),
    limits: table(OPTION_OF_SECTION.limits, groupLimitsSchema),
    group_budgets: Object.fromEntries(
      (await listGroupBudgets(context)).map(({ group, budget: { quota, period } }) => [group, { quota, period }]),
    ),
    channels: channels.filter((channel) => channel !== undefined),
  };
}

function valueOf(key: OptionKey, text: string): boolean | number | string {
  const { kind } = OPTION_DEFINITIONS[key];
  if (kind === "flag") return text === "true";
  return kind === "integer" || kind === "number" ? Number(text) : text;
}

function readDollars(text: string): NonNullable<ExportedConfiguration["prices"]>["dollars"] {
  const { prices = [] } = parsePrices(text);
  return Object.fromEntries([...prices].map(([model, list]) => [model, [...list]]));
}
