import type { FormErrors } from "@mantine/form";
import type { Channel } from "@one-api/contract/channels/channel";
import { channelCostsSchema, modelMappingSchema } from "@one-api/contract/channels/channel-json";
import { fitsKeyForm, keyHint, splitKeys } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo, effectiveBaseUrl } from "@one-api/contract/channels/channel-types";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Schema } from "@one-api/contract/call";
import * as z from "zod/mini";
import { assembleKey, type ChannelValues, type KeyPartField, keyPartsOf, parseConfig } from "./channel-form-model.ts";

/** What can be wrong with a field; the texts have a sentence for each. */
type ChannelProblem =
  | "nameMissing"
  | "keyMissing"
  | "partMissing"
  | "models"
  | "addressMissing"
  | "addressWrong"
  | "keyAgain"
  | "keyForm"
  | "oneKey"
  | "allParts"
  | "credentials"
  | "mapping"
  | "costs"
  | "softLimit";

type ChannelProblems = Partial<Record<keyof ChannelValues, ChannelProblem>>;

const addressSchema = z.url({ protocol: /^https?$/ });

function parses(schema: Schema, text: string): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** True when a stored key would go to another address or provider than it was meant for. */
export function movesKey(values: ChannelValues, stored: Channel): boolean {
  return (
    values.type !== stored.type ||
    effectiveBaseUrl(values.type, stripTrailingSlashes(values.base_url.trim())) !==
      effectiveBaseUrl(stored.type, stored.base_url)
  );
}

type PartName = KeyPartField["config"];

function missingParts(values: ChannelValues): PartName[] {
  return keyPartsOf(values.type).flatMap(({ config }) => (values[config].trim() === "" ? [config] : []));
}

function problemOfEach(fields: readonly PartName[], problem: ChannelProblem): ChannelProblems {
  return Object.fromEntries(fields.map((field) => [field, problem]));
}

function checkParts(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  const broken = keyPartsOf(values.type).find(
    ({ config, isDocument }) =>
      isDocument === true && values[config].trim() !== "" && !parses(z.looseObject({}), values[config]),
  );
  if (broken !== undefined) return { [broken.config]: "credentials" };
  const missing = missingParts(values);
  if (stored === undefined) return problemOfEach(missing, "partMissing");
  if (movesKey(values, stored)) return problemOfEach(missing, "keyAgain");
  const before = parseConfig(stored.config);
  const isChanged = keyPartsOf(values.type).some(({ config }) => values[config].trim() !== (before[config] ?? ""));
  return isChanged ? problemOfEach(missing, "allParts") : {};
}

function checkKey(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  if (keyPartsOf(values.type).length > 0) return checkParts(values, stored);
  const key = assembleKey(values);
  if (key === "" && stored === undefined) return { key: "keyMissing" };
  if (key === "" && stored !== undefined && movesKey(values, stored)) return { key: "keyAgain" };
  const form = channelTypeInfo(values.type)?.key;
  const keys = splitKeys(form, key);
  if (!values.isBatch && keys.length > 1) return { key: "oneKey" };
  return keys.every((one) => fitsKeyForm(form, one)) ? {} : { key: "keyForm" };
}

function checkAddress({ type, base_url }: ChannelValues): ChannelProblems {
  const address = base_url.trim();
  if (address === "") return channelTypeInfo(type)?.needsBaseUrl === true ? { base_url: "addressMissing" } : {};
  return addressSchema.safeParse(address).success ? {} : { base_url: "addressWrong" };
}

/** Returns what is wrong with the form of a new channel or, with `stored`, of that one. */
export function validateChannel(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  const mapping = values.model_mapping.trim();
  const costs = values.costs.trim();
  const limit = values.soft_limit_usd;
  return {
    ...(values.name.trim() === "" ? { name: "nameMissing" as const } : {}),
    ...checkKey(values, stored),
    ...checkAddress(values),
    ...(values.models.length === 0 && channelTypeInfo(values.type)?.needsNoModels !== true
      ? { models: "models" as const }
      : {}),
    ...(mapping !== "" && !parses(modelMappingSchema, mapping) ? { model_mapping: "mapping" as const } : {}),
    ...(costs !== "" && !parses(channelCostsSchema, costs) ? { costs: "costs" as const } : {}),
    ...(limit !== "" && !(typeof limit === "number" && Number.isInteger(limit) && limit >= 0)
      ? { soft_limit_usd: "softLimit" as const }
      : {}),
  };
}

/** Returns the validation of the form, in the language of the console. */
export function useChannelProblems(stored: Channel | undefined): (values: ChannelValues) => FormErrors {
  const { t } = useTranslation("channel-form");
  return (values) => {
    const form = channelTypeInfo(values.type)?.key;
    const format = form === undefined ? "" : keyHint(form);
    const problems = Object.entries(validateChannel(values, stored));
    return Object.fromEntries(problems.map(([field, problem]) => [field, t(`problems.${problem}`, { format })]));
  };
}

/** Returns what the summary above the form says: one sentence where name or key is missing, else each field's own. */
export function useChannelSummary(): (errors: FormErrors) => FormErrors {
  const { t } = useTranslation("channel-form");
  const lacking = new Set<unknown>([t("problems.nameMissing"), t("problems.keyMissing"), t("problems.partMissing")]);
  return (errors) =>
    Object.fromEntries(
      Object.entries(errors).map(([field, error]) => [field, lacking.has(error) ? t("problems.nameAndKey") : error]),
    );
}
