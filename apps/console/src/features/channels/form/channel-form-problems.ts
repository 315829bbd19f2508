import type { FormErrors } from "@mantine/form";
import { type Channel, modelMappingSchema } from "@one-api/contract/channel";
import { channelTypeInfo, PROXY_TYPE } from "@one-api/contract/channel-types";
import { stripTrailingSlashes } from "@one-api/contract/fields";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  assembleKey,
  type ChannelValues,
  keyLines,
  type KeyPart,
  keyPartsOf,
  parseConfig,
} from "./channel-form-model.ts";

/** What can be wrong with a field; the texts have a sentence for each. */
type ChannelProblem =
  | "nameAndKey"
  | "nameMissing"
  | "models"
  | "addressMissing"
  | "addressWrong"
  | "keyAgain"
  | "keyForm"
  | "oneKey"
  | "allParts"
  | "credentials"
  | "mapping"
  | "softLimit";

/** The first problem of each field. */
type ChannelProblems = Partial<Record<keyof ChannelValues, ChannelProblem>>;

const addressSchema = z.url({ protocol: /^https?$/ });

/** Types whose channels bring their address with them. */
const TYPES_WITHOUT_ADDRESS: ReadonlySet<number> = new Set([3, 8, PROXY_TYPE]);

/** True where the type has no address of its own. */
export function needsAddress(type: number): boolean {
  return TYPES_WITHOUT_ADDRESS.has(type);
}

function parses(schema: z.ZodType, text: string): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function effectiveAddress(type: number, baseUrl: string): string {
  return stripTrailingSlashes(baseUrl.trim()) || (channelTypeInfo(type)?.baseUrl ?? "");
}

/** True when a stored key would go to another address or provider than it was meant for. */
function moves(values: ChannelValues, stored: Channel): boolean {
  return (
    values.type !== stored.type ||
    effectiveAddress(values.type, values.base_url) !== effectiveAddress(stored.type, stored.base_url)
  );
}

function missingPart(values: ChannelValues): KeyPart | undefined {
  return keyPartsOf(values.type).find((part) => values[part].trim() === "");
}

function checkParts(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  const adc = values.vertex_ai_adc.trim();
  if (keyPartsOf(values.type).includes("vertex_ai_adc") && adc !== "" && !parses(z.looseObject({}), adc))
    return { vertex_ai_adc: "credentials" };
  const missing = missingPart(values);
  if (missing === undefined) return {};
  if (stored === undefined) return { [missing]: "nameAndKey" };
  if (moves(values, stored)) return { [missing]: "keyAgain" };
  const before = parseConfig(stored.config);
  const isChanged = keyPartsOf(values.type).some((part) => values[part].trim() !== (before[part] ?? ""));
  return isChanged ? { [missing]: "allParts" } : {};
}

/** How many parts the key has between bars; types that are not named take any key. */
function hasKeyForm(type: number, key: string): boolean {
  const hint = channelTypeInfo(type)?.keyHint;
  if (hint === undefined || !hint.includes("|")) return true;
  const wanted = hint.split("|").length;
  return keyLines(key).every((line) => line.split("|").filter((part) => part.trim() !== "").length === wanted);
}

function checkKey(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  if (keyPartsOf(values.type).length > 0) return checkParts(values, stored);
  const key = assembleKey(values);
  if (key === "" && stored === undefined) return { key: "nameAndKey" };
  if (key === "" && stored !== undefined && moves(values, stored)) return { key: "keyAgain" };
  if (!values.isBatch && keyLines(key).length > 1) return { key: "oneKey" };
  return hasKeyForm(values.type, key) ? {} : { key: "keyForm" };
}

function checkAddress({ type, base_url }: ChannelValues): ChannelProblems {
  const address = base_url.trim();
  if (address === "") return needsAddress(type) ? { base_url: "addressMissing" } : {};
  return addressSchema.safeParse(address).success ? {} : { base_url: "addressWrong" };
}

/** Returns what is wrong with the form of a new channel or, with `stored`, of that one. */
export function validateChannel(values: ChannelValues, stored: Channel | undefined): ChannelProblems {
  const mapping = values.model_mapping.trim();
  const limit = values.soft_limit_usd;
  return {
    ...(values.name.trim() === ""
      ? { name: stored === undefined ? ("nameAndKey" as const) : ("nameMissing" as const) }
      : {}),
    ...checkKey(values, stored),
    ...checkAddress(values),
    ...(values.models.length === 0 && values.type !== PROXY_TYPE ? { models: "models" as const } : {}),
    ...(mapping !== "" && !parses(modelMappingSchema, mapping) ? { model_mapping: "mapping" as const } : {}),
    ...(limit !== "" && !(typeof limit === "number" && Number.isInteger(limit) && limit >= 0)
      ? { soft_limit_usd: "softLimit" as const }
      : {}),
  };
}

/** Returns the validation of the form, in the language of the console. */
export function useChannelProblems(stored: Channel | undefined): (values: ChannelValues) => FormErrors {
  const { t } = useTranslation("channels");
  return (values) => {
    const format = channelTypeInfo(values.type)?.keyHint ?? "";
    const problems = Object.entries(validateChannel(values, stored));
    return Object.fromEntries(problems.map(([field, problem]) => [field, t(`problems.${problem}`, { format })]));
  };
}
