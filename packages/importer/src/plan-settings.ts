import { isOptionKey, OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import { formatRatios, OPTION_RATIOS } from "@one-api/contract/prices/ratios";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { GatewayRules } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { textOf } from "./old-row.ts";

const NOUN = "setting";
/** Settings with another name here. */
const RENAMED: ReadonlyMap<string, OptionKey> = new Map([
  ["OidcWellKnown", "OidcIssuer"],
  ["oidc.well_known", "OidcIssuer"],
  ["oidc.enabled", "OidcEnabled"],
  ["oidc.client_id", "OidcClientId"],
  ["oidc.client_secret", "OidcClientSecret"],
]);
const DISCOVERY = /\/\.well-known\/openid-configuration\/?$/;
/** Settings of prices that do not exist here; the report compares them with the prices here, model by model. */
const PRICES = /^(?:ImageCompletionRatio|VideoRatio|billing_setting\..*|tool_price_setting\..*)$/;
/** Settings of new-api that are read elsewhere, and reported entry by entry. */
const READ_AS_PRICES: ReadonlySet<string> = new Set([
  "ModelPrice",
  "GroupGroupRatio",
  "CacheRatio",
  "CreateCacheRatio",
  "ImageRatio",
  "AudioRatio",
  "AudioCompletionRatio",
]);

/** Texts of the imported settings, secrets in clear text. */
export type PlannedSettings = ReadonlyMap<OptionKey, string>;

type Rules = Pick<GatewayRules, "isRefusal" | "readOption" | "checkOptionNeeds">;

/** Reads the old settings that exist here too. Empty ones count as never set. */
export function planSettings(rows: readonly ForeignRow[], rules: Rules, findings: ImportFindings): PlannedSettings {
  const planned = new Map<OptionKey, string>();
  for (const row of rows) {
    const [name, value] = [textOf(row, "key"), row["value"] ?? ""];
    if (value.trim() === "" || READ_AS_PRICES.has(name)) continue;
    const key = RENAMED.get(name) ?? name;
    if (isOptionKey(key)) plan(planned, { name, key, value }, rules, findings);
    else
      findings.leaveOut(
        NOUN,
        name,
        PRICES.test(name)
          ? "there is no such price here: the maintained list has these prices"
          : "there is no such setting here",
      );
  }
  dropUnusableSwitches(planned, rules, findings);
  return planned;
}

interface OldSetting {
  readonly name: string;
  readonly key: OptionKey;
  readonly value: string;
}

function plan(planned: Map<OptionKey, string>, setting: OldSetting, rules: Rules, findings: ImportFindings): void {
  try {
    planned.set(setting.key, rules.readOption(setting.key, tidyValue(setting, findings)));
  } catch (error) {
    if (!rules.isRefusal(error)) throw error;
    findings.leaveOut(NOUN, setting.name, error.message);
  }
}

function tidyValue({ name, key, value }: OldSetting, findings: ImportFindings): string {
  if (key === "OidcIssuer") return value.trim().replace(DISCOVERY, "");
  switch (OPTION_DEFINITIONS[key].kind) {
    case "ratios":
      return tidyRatios(name, value, findings);
    case "integer":
      // Some versions write 5 as 5.0.
      return value.trim().replace(/\.0+$/, "");
    default:
      return value;
  }
}

/** Removes invalid ratios, each of which would make the whole setting invalid. Returns any text but a JSON object as it is. */
function tidyRatios(name: string, value: string, findings: ImportFindings): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return value;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return value;
  const valid = new Map<string, number>();
  for (const [entry, ratio] of Object.entries(parsed)) {
    const isRatio = typeof ratio === "number" && ratio >= OPTION_RATIOS.min && ratio <= OPTION_RATIOS.max;
    if (isRatio && entry.trim() !== "") valid.set(entry, ratio);
    else findings.leaveOut(NOUN, `${name}, ${entry}`, "its ratio is no number that a price can be");
  }
  return formatRatios(valid);
}

/** Drops switches whose required options are not set. */
function dropUnusableSwitches(planned: Map<OptionKey, string>, rules: Rules, findings: ImportFindings): void {
  for (const [key, text] of planned) {
    try {
      if (text === "true") rules.checkOptionNeeds(key, text, planned);
    } catch (error) {
      if (!rules.isRefusal(error)) throw error;
      planned.delete(key);
      findings.leaveOut(NOUN, key, error.message);
    }
  }
}
