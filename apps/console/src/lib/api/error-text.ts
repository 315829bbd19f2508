import type { ErrorCode, ErrorValues } from "@one-api/contract/error-codes";
import type { InputProblem } from "@one-api/contract/input-problem";
import { useEffect, useState } from "react";
import { ApiError } from "./api-error.ts";
import { currentLanguage, fillText, loadTexts, rawText, t, useLanguage, valueNames } from "../i18n/i18n.ts";

const PROBLEMS = [
  "missing",
  "not-one-of",
  "not-valid",
  "too-big",
  "too-long",
  "too-short",
  "too-small",
  "wrong-type",
] as const satisfies readonly InputProblem[];

/** Codes whose text says less than the words that the server sends with them. */
const VAGUE_CODES: ReadonlySet<string> = new Set<ErrorCode>(["invalid-input", "not-supported", "upstream-failed"]);

const REFUSALS = ["refusals"] as const;
const SETTINGS = ["settings"] as const;

/** Loads the texts of refusals ahead of need: when one is to be shown, the network may be gone. */
export function loadErrorTexts(): Promise<void> {
  return loadTexts(REFUSALS);
}

/** The values of a refused setting that name others as scripts do. */
const OPTION_VALUES: ReadonlySet<string> = new Set(["option", "missing", "user"]);

/** A setting as the page of settings calls it, where its texts are loaded. */
function optionLabel(key: string): string {
  const label = rawText(currentLanguage(), SETTINGS, `fields.${key}`);
  return label === undefined ? key : t("common:quoted", { text: label });
}

/** A value of a refused setting as people read it: lists of names and beginnings come as scripts write them. */
function optionValue([name, value]: [string, string | number]): [string, string | number] {
  const parts = String(value).split(/, ?/);
  if (OPTION_VALUES.has(name)) return [name, parts.map(optionLabel).join(t("common:listSeparator"))];
  return name === "protocols" ? [name, parts.join(t("common:or"))] : [name, value];
}

const optionValues = (values: ErrorValues) => Object.fromEntries(Object.entries(values).map(optionValue));

/** The text with the values in it; undefined when it is not loaded or names a value that the server did not send. */
function fill(key: string, values: ErrorValues): string | undefined {
  const text = rawText(currentLanguage(), REFUSALS, key);
  if (text === undefined || !valueNames(text).every((name) => Object.hasOwn(values, name))) return undefined;
  return fillText(currentLanguage(), text, key.startsWith("option-") ? optionValues(values) : values);
}

/** An input field's label; a path such as `models.3` is named by its first part. */
function fieldLabel(field: string): string {
  const [first = ""] = field.split(".");
  return rawText(currentLanguage(), REFUSALS, `fields.${first}`) ?? field;
}

/** Returns the text of a field's problem, once the texts of refusals are loaded. */
export function problemText(field: string, values: ErrorValues): string | undefined {
  const problem = PROBLEMS.find((known) => known === values["problem"]);
  return problem && fill(`problems.${problem}`, { ...values, field: fieldLabel(field) });
}

/** Statuses of proxies whose server does not answer. */
const AWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Text for a proxy's page, which has no useful message. */
function foreignText({ status }: ApiError): string {
  return t(AWAY_STATUSES.has(status) ? "common:errors.serverAway" : "common:errors.foreignAnswer", { status });
}

/** Why something failed, in the reader's language where the console has words for it, else in the server's own. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.kind === "network") return t("shell:cannotConnect");
  if (error.isForeign) return foreignText(error);
  const { code } = error;
  if (code === undefined) return error.message;
  const own = code === "invalid-input" ? problemText(error.field ?? "body", error.values ?? {}) : undefined;
  if (own !== undefined) return own;
  if (VAGUE_CODES.has(code) && error.message !== "") return error.message;
  return fill(code, error.values ?? {}) ?? error.message;
}

/** Like errorText, for components: says it anew when the texts arrive or the language changes. */
export function useErrorText(failure: unknown): string {
  useLanguage();
  const [, setLoaded] = useState(false);
  const hasError = failure !== undefined && failure !== null;
  useEffect(() => {
    // Until they come, and without them, the server's own words stand.
    const load = async () => {
      await loadErrorTexts();
      setLoaded(true);
    };
    if (hasError) load().catch(console.error);
  }, [hasError]);
  return hasError ? errorText(failure) : "";
}
