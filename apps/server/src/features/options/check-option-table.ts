import { modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import { MAX_LIMIT } from "@one-api/contract/limits/limit-constants";
import { groupLimitsSchema } from "@one-api/contract/limits/limits";
import type { OptionKey } from "@one-api/contract/options/option-definitions";
import { AppError } from "../../core/app-error.ts";

/** Checks of options whose text is a table in JSON. Each throws a refusal that names the first fault. */
export const CHECK_OF_TABLE = { limits: checkLimits, aliases: checkAliases };

function checkLimits(option: OptionKey, text: string): void {
  const read = groupLimitsSchema.safeParse(parseTable("option-limits", option, text));
  if (read.success) return;
  const [issue] = read.error.issues;
  const part = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  const message = `${option}: "${part}" is no limit. Write {"GROUP": {"rpm_limit": 60, "models": {"MODEL": {"rpm_limit": 10}}}}, with whole numbers from 0 to ${MAX_LIMIT}.`;
  throw new AppError("option-limits", message, { field: "value", values: { option, part, max: MAX_LIMIT } });
}

function checkAliases(option: OptionKey, text: string): void {
  const read = modelAliasesSchema.safeParse(parseTable("option-aliases", option, text));
  if (read.success) return;
  const part = read.error.issues[0]?.path.join(".") ?? "";
  const message = `${option}: "${part}" has no valid models. Write {"ALIAS": ["FIRST MODEL", "SECOND MODEL"]} or {"ALIAS": {"MODEL": 90, "OTHER MODEL": 10}}, with up to 8 models.`;
  throw new AppError("option-aliases", message, { field: "value", values: { option, part } });
}

function parseTable(code: "option-limits" | "option-aliases", option: OptionKey, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(code, `${option} is not valid JSON.`, { field: "value", values: { option, part: "JSON" } });
  }
}
