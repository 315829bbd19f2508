import { modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import { MAX_LIMIT } from "@one-api/contract/limits/limit-constants";
import { groupLimitsSchema } from "@one-api/contract/limits/limits";
import type { OptionKey } from "@one-api/contract/options/option-definitions";
import { createFindUnknownName } from "@one-api/contract/unknown-names/find-unknown-name";
import { AppError } from "../../core/app-error.ts";
import { nearestName } from "../../core/nearest-name.ts";

/** Checks of options whose text is a table in JSON. Each throws a refusal that names the first fault. */
export const CHECK_OF_TABLE = { limits: checkLimits, aliases: checkAliases };

type TableCode = "option-limits" | "option-aliases";

const findInLimits = createFindUnknownName(groupLimitsSchema);
const findInAliases = createFindUnknownName(modelAliasesSchema);

/** Throws for a misspelled name, with the nearest one. */
function checkNames(find: typeof findInLimits, code: TableCode, option: OptionKey, table: unknown): void {
  const unknown = find(table);
  const nearest = unknown && nearestName(unknown.path.at(-1) ?? "", unknown.known);
  if (unknown === undefined || nearest === undefined) return;
  const part = unknown.path.join(".");
  const message = `${option}: "${part}" is unknown. Did you mean ${nearest}?`;
  throw new AppError(code, message, { field: "value", values: { option, part, max: MAX_LIMIT } });
}

function checkLimits(option: OptionKey, text: string): void {
  const table = parseTable("option-limits", option, text);
  checkNames(findInLimits, "option-limits", option, table);
  const read = groupLimitsSchema.safeParse(table);
  if (read.success) return;
  const [issue] = read.error.issues;
  const part = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  const message = `${option}: "${part}" is no limit. Write {"GROUP": {"rpm_limit": 60, "models": {"MODEL": {"rpm_limit": 10}}}}, with whole numbers from 0 to ${MAX_LIMIT}.`;
  throw new AppError("option-limits", message, { field: "value", values: { option, part, max: MAX_LIMIT } });
}

function checkAliases(option: OptionKey, text: string): void {
  const table = parseTable("option-aliases", option, text);
  checkNames(findInAliases, "option-aliases", option, table);
  const read = modelAliasesSchema.safeParse(table);
  if (read.success) return;
  const part = read.error.issues[0]?.path.join(".") ?? "";
  const message = `${option}: "${part}" has no valid models. Write {"ALIAS": ["FIRST MODEL", "SECOND MODEL"]} or {"ALIAS": {"MODEL": 90, "OTHER MODEL": 10}}, with up to 8 models.`;
  throw new AppError("option-aliases", message, { field: "value", values: { option, part } });
}

function parseTable(code: TableCode, option: OptionKey, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(code, `${option} is not valid JSON.`, { field: "value", values: { option, part: "JSON" } });
  }
}
