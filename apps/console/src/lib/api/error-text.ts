import { HTTP_STATUS_OF_ERROR, type ErrorCode, type ErrorValues } from "@one-api/contract/error-codes";
import { useTranslation } from "react-i18next";
import { ApiError } from "./api-error.ts";
import { i18n } from "../i18n.ts";

/** What may be wrong with a field of the input, as `invalid-input` says it in its values. */
const PROBLEMS = [
  "missing",
  "not-one-of",
  "not-valid",
  "too-big",
  "too-long",
  "too-short",
  "too-small",
  "wrong-type",
] as const;

/** Codes whose text says less than the words that the server sends with them. */
const VAGUE_CODES: ReadonlySet<ErrorCode> = new Set(["invalid-input", "not-supported", "upstream-failed"]);

type RefusalKey = ErrorCode | `problems.${(typeof PROBLEMS)[number]}`;

/** Loads the texts of refusals ahead of need: when one is to be shown, the network may be gone. */
export function loadErrorTexts(): Promise<void> {
  return i18n.loadNamespaces("refusals");
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(HTTP_STATUS_OF_ERROR, code);
}

/** The text with the values in it; undefined when it is not loaded or names a value that the server did not send. */
function fill(key: RefusalKey, values: ErrorValues): string | undefined {
  const t = i18n.getFixedT(null, "refusals");
  if (!i18n.exists(key, { ns: "refusals" })) return undefined;
  const named = [...t(key, { skipInterpolation: true }).matchAll(/\{\{(\w+)\}\}/g)];
  return named.every(([, name = ""]) => Object.hasOwn(values, name)) ? t(key, values) : undefined;
}

/** An input field's label; a path such as `models.3` is named by its first part. */
function fieldLabel(field: string): string {
  const [first = ""] = field.split(".");
  if (!i18n.exists("refusals:fields")) return field;
  const labels = new Map(Object.entries(i18n.getFixedT(null, "refusals")("fields", { returnObjects: true })));
  return labels.get(first) ?? field;
}

function problemText({ field = "body", values = {} }: ApiError): string | undefined {
  const problem = PROBLEMS.find((known) => known === values["problem"]);
  return problem && fill(`problems.${problem}`, { ...values, field: fieldLabel(field) });
}

/** Why something failed, in the reader's language where the console has words for it, else in the server's own. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.kind === "network") return i18n.t("shell:cannotConnect");
  const { code } = error;
  if (!isErrorCode(code)) return error.message;
  const own = code === "invalid-input" ? problemText(error) : undefined;
  if (own !== undefined) return own;
  if (VAGUE_CODES.has(code) && error.message !== "") return error.message;
  return fill(code, error.values ?? {}) ?? error.message;
}

/** Like errorText, for components: says it anew when the texts arrive or the language changes. */
export function useErrorText(error: unknown): string {
  useTranslation("refusals", { useSuspense: false });
  return error === undefined || error === null ? "" : errorText(error);
}
