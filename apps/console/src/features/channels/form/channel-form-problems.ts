import type { FormErrors } from "@mantine/form";
import type { Schema } from "@one-api/contract/call";
import type { Channel } from "@one-api/contract/channels/channel";
import { createChannelInputSchema, updateChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { credentialsSchema } from "@one-api/contract/channels/channel-json";
import { fitsKeyForm, keyHint, splitKeys } from "@one-api/contract/channels/channel-key";
import { findOverrideProblem } from "@one-api/contract/channels/overrides/overrides";
import { channelTypeInfo, movesAway } from "@one-api/contract/channels/channel-types";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../../lib/validate-form.ts";
import {
  assembleKey,
  type ChannelValues,
  createChannelPayload,
  type KeyPartField,
  keyPartsOf,
  parseConfig,
  updateChannelPayload,
} from "./channel-form-model.ts";

/** Problems by the declaration of the channel's type, which decides beside the schema; the texts have a sentence for each. */
type TypeProblem =
  | "partMissing"
  | "models"
  | "addressMissing"
  | "keyAgain"
  | "keyForm"
  | "oneKey"
  | "allParts"
  | "credentials";

type TypeProblems = Partial<Record<keyof ChannelValues, TypeProblem>>;

function isCredentials(text: string): boolean {
  try {
    return credentialsSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** True when a stored key would go to another address or provider than it was meant for. */
export function movesKey({ type, base_url, dialect_urls }: ChannelValues, stored: Channel): boolean {
  return movesAway(stored, { type, base_url: stripTrailingSlashes(base_url.trim()), dialect_urls });
}

type PartName = KeyPartField["config"];

function missingParts(values: ChannelValues): PartName[] {
  return keyPartsOf(values.type).flatMap(({ config }) => (values[config].trim() === "" ? [config] : []));
}

function problemOfEach(fields: readonly PartName[], problem: TypeProblem): TypeProblems {
  return Object.fromEntries(fields.map((field) => [field, problem]));
}

function checkParts(values: ChannelValues, stored: Channel | undefined): TypeProblems {
  const broken = keyPartsOf(values.type).find(
    ({ config, isDocument }) => isDocument === true && values[config].trim() !== "" && !isCredentials(values[config]),
  );
  if (broken !== undefined) return { [broken.config]: "credentials" };
  const missing = missingParts(values);
  if (stored === undefined) return problemOfEach(missing, "partMissing");
  if (movesKey(values, stored)) return problemOfEach(missing, "keyAgain");
  const before = parseConfig(stored.config);
  const isChanged = keyPartsOf(values.type).some(({ config }) => values[config].trim() !== (before[config] ?? ""));
  return isChanged ? problemOfEach(missing, "allParts") : {};
}

function checkKey(values: ChannelValues, stored: Channel | undefined): TypeProblems {
  if (keyPartsOf(values.type).length > 0) return checkParts(values, stored);
  const key = assembleKey(values);
  if (key === "" && stored !== undefined && movesKey(values, stored)) return { key: "keyAgain" };
  const form = channelTypeInfo(values.type)?.key;
  const keys = splitKeys(form, key);
  if (!values.isBatch && !values.isKeyList && keys.length > 1) return { key: "oneKey" };
  return keys.every((one) => fitsKeyForm(form, one)) ? {} : { key: "keyForm" };
}

/** Returns the problems of the form of a new channel or, with `stored`, of that one, by the declaration of its type. */
export function checkByType(values: ChannelValues, stored: Channel | undefined): TypeProblems {
  const info = channelTypeInfo(values.type);
  return {
    ...checkKey(values, stored),
    ...(values.base_url.trim() === "" && info?.needsBaseUrl === true ? { base_url: "addressMissing" as const } : {}),
    ...(values.models.length === 0 && info?.needsNoModels !== true ? { models: "models" as const } : {}),
  };
}

/** Returns what a save of the form sends, and the schema that the server checks it with. */
export function channelInput(values: ChannelValues, stored: Channel | undefined): { schema: Schema; input: unknown } {
  return stored === undefined
    ? { schema: createChannelInputSchema, input: createChannelPayload(values) }
    : { schema: updateChannelInputSchema, input: updateChannelPayload(values, stored) };
}

export function useChannelProblems(stored: Channel | undefined): (values: ChannelValues) => FormErrors {
  const { t } = useTranslation("channel-form");
  const validate = useValidateForm();
  const texts: ProblemTexts<keyof ChannelValues> = {
    name: { missing: t("problems.nameMissing") },
    key: { missing: t("problems.keyMissing") },
    base_url: t("problems.addressWrong"),
    models: { "not-valid": t("problems.modelsForm") },
    model_mapping: { "not-valid": t("problems.mapping") },
    costs: { "not-valid": t("problems.costs") },
    dialect_urls: { "not-valid": t("dialects.problem") },
    paused_until: t("deadlines.problem"),
    key_expires_at: t("deadlines.problem"),
    organization: { "not-valid": t("problems.organization") },
    proxy: { "not-valid": t("problems.proxy") },
    soft_limit_usd: { "wrong-type": t("problems.softLimit"), "too-small": t("problems.softLimit") },
  };
  return (values) => {
    const form = channelTypeInfo(values.type)?.key;
    const format = form === undefined ? "" : keyHint(form);
    const { schema, input } = channelInput(values, stored);
    const { key, ...errors } = validate(schema, input, texts);
    // A key in parts has no field of its own.
    const ofKey = key === undefined || keyPartsOf(values.type).length > 0 ? {} : { key };
    const override = findOverrideProblem(values.overrides);
    const ofOverrides = override && { overrides: t(`overrides.problems.${override.code}`, { name: override.name }) };
    const ofType = Object.entries(checkByType(values, stored));
    return {
      ...errors,
      ...ofKey,
      ...ofOverrides,
      ...Object.fromEntries(ofType.map(([field, problem]) => [field, t(`problems.${problem}`, { format })])),
    };
  };
}

/** Returns the sentences of the summary above the form: one for a missing name or key, else each field's own. */
export function useChannelSummary(): (errors: FormErrors) => FormErrors {
  const { t } = useTranslation("channel-form");
  const lacking = new Set<unknown>([t("problems.nameMissing"), t("problems.keyMissing"), t("problems.partMissing")]);
  return (errors) =>
    Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, lacking.has(error) ? t("problems.nameAndKey") : error]),
    );
}
