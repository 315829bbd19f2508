import { isOptionKey, OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/option";
import { formatRatios, OPTION_RATIOS } from "@one-api/contract/prices/ratios";
import type { ForeignRow } from "@one-api/database/foreign-database";
import { AppError } from "../core/app-error.ts";
import { checkOptionNeeds, readOption } from "../features/options/index.ts";
import type { ImportFindings } from "./import-findings.ts";
import { textOf } from "./old-row.ts";

const NOUN = "setting";
/** Settings that have another name here. */
const RENAMED: ReadonlyMap<string, OptionKey> = new Map([
  ["OidcWellKnown", "OidcIssuer"],
  ["oidc.well_known", "OidcIssuer"],
  ["oidc.enabled", "OidcEnabled"],
  ["oidc.client_id", "OidcClientId"],
  ["oidc.client_secret", "OidcClientSecret"],
]);
const DISCOVERY = /\/\.well-known\/openid-configuration\/?$/;
/** Settings that decide what is charged, and that nothing here stands for. */
const PRICES =
  /^(?:ModelPrice|CacheRatio|CreateCacheRatio|ImageRatio|AudioRatio|AudioCompletionRatio|GroupGroupRatio)$/;

/** The texts of settings that come over, in clear. */
export type PlannedSettings = ReadonlyMap<OptionKey, string>;

/** Reads the old settings that there are here too, each by its own declaration; what is empty is as it was never set. */
export function planSettings(rows: readonly ForeignRow[], findings: ImportFindings): PlannedSettings {
  const planned = new Map<OptionKey, string>();
  for (const row of rows) {
    const [name, value] = [textOf(row, "key"), row["value"] ?? ""];
    if (value.trim() === "") continue;
    const key = RENAMED.get(name) ?? name;
    if (isOptionKey(key)) plan(planned, { name, key, value }, findings);
    else
      findings.leaveOut(
        NOUN,
        name,
        PRICES.test(name)
          ? "there is no such price here: look over the page of prices"
          : "there is no such setting here",
      );
  }
  dropSwitchesInNeed(planned, findings);
  return planned;
}

interface OldSetting {
  readonly name: string;
  readonly key: OptionKey;
  readonly value: string;
}

function plan(planned: Map<OptionKey, string>, setting: OldSetting, findings: ImportFindings): void {
  try {
    planned.set(setting.key, readOption(setting.key, tidyValue(setting, findings)).text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    findings.leaveOut(NOUN, setting.name, error.message);
  }
}

function tidyValue({ name, key, value }: OldSetting, findings: ImportFindings): string {
  if (key === "OidcIssuer") return value.trim().replace(DISCOVERY, "");
  switch (OPTION_DEFINITIONS[key].kind) {
    case "ratios":
      return tidyRatios(name, value, findings);
    case "integer":
      // Written as a number with decimals, which are none.
      return value.trim().replace(/\.0+$/, "");
    default:
      return value;
  }
}

/** Ratios without those that no price can be: one of them would keep all others behind. A text that is no JSON object stays as it is. */
function tidyRatios(name: string, value: string, findings: ImportFindings): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return value;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return value;
  const kept = new Map<string, number>();
  for (const [entry, ratio] of Object.entries(parsed)) {
    const isRatio = typeof ratio === "number" && ratio >= OPTION_RATIOS.min && ratio <= OPTION_RATIOS.max;
    if (isRatio && entry.trim() !== "") kept.set(entry, ratio);
    else findings.leaveOut(NOUN, `${name}, ${entry}`, "its ratio is no number that a price can be");
  }
  return formatRatios(kept);
}

/** A switch that is on without what it needs would stand for something that cannot work. */
function dropSwitchesInNeed(planned: Map<OptionKey, string>, findings: ImportFindings): void {
  for (const [key, text] of planned) {
    try {
      if (text === "true") checkOptionNeeds(key, text, planned);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      planned.delete(key);
      findings.leaveOut(NOUN, key, error.message);
    }
  }
}
