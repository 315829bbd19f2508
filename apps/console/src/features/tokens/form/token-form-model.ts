import type { FormErrors, UseFormReturnType } from "@mantine/form";
import { joinList, splitList } from "@one-api/contract/texts";
import type { Schema } from "@one-api/contract/call";
import { wrongNetwork } from "@one-api/contract/networks";
import {
  type CreateTokenInput,
  createTokenInputSchema,
  type Token,
  type UpdateTokenInput,
  updateTokenInputSchema,
} from "@one-api/contract/token";
import { type FurtherLimitValues, changedLimits, furtherLimits } from "../../../lib/values/limit-values.ts";
import { FURTHER_LIMITS } from "@one-api/contract/limits/limit-constants";
import { TOKEN_DEFAULTS, TOKEN_LIMITS } from "@one-api/contract/token-constants";
import { hasOwnValue } from "../../../components/form/has-own.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../../lib/validate-form.ts";
import { type BudgetValues, budgetPayload, budgetValues } from "../../../lib/values/budget-values.ts";
import { typedNumber } from "../../../lib/values/typed-number.ts";
import { expiryAfter, expiryText, readExpiry } from "./expiry.ts";

/** Form values. An empty number field holds a text. */
export interface TokenValues extends BudgetValues, FurtherLimitValues {
  name: string;
  batch_number: number | string;
  remain_quota: number | string;
  unlimited_quota: boolean;
  /** Dollars that are added to a stored token. */
  recharge_quota: number | string;
  /** `YYYY-MM-DD HH:MM:SS` in the viewer's zone; empty for never. */
  expired_time: string;
  rpm_limit: number | string;
  dpm_limit: number | string;
  tpm_limit: number | string;
  models: string[];
  group: string[];
  subnet: string[];
  email: string;
  custom_contact: string;
  moderations_enable: boolean;
  keep_bodies: boolean;
}

export type TokenFormState = UseFormReturnType<TokenValues>;

export function newTokenValues(): TokenValues {
  return {
    name: "",
    batch_number: 1,
    remain_quota: TOKEN_DEFAULTS.remain_quota,
    unlimited_quota: false,
    recharge_quota: "",
    expired_time: expiryAfter(TOKEN_DEFAULTS.validSeconds),
    rpm_limit: TOKEN_DEFAULTS.rpm_limit,
    dpm_limit: TOKEN_DEFAULTS.dpm_limit,
    tpm_limit: TOKEN_DEFAULTS.tpm_limit,
    models: [],
    group: [],
    subnet: [],
    email: "",
    custom_contact: "",
    moderations_enable: false,
    keep_bodies: false,
    ...furtherLimits({}),
    ...budgetValues(null),
  };
}

/** Tells whether one of the fields differs from a new token's value, or has an error. */
export function hasOwn(form: TokenFormState, ...fields: readonly (keyof TokenValues)[]): boolean {
  return hasOwnValue(form, newTokenValues(), fields);
}

export function storedTokenValues(token: Token): TokenValues {
  const {
    name,
    remain_quota,
    unlimited_quota,
    rpm_limit,
    dpm_limit,
    tpm_limit,
    email,
    custom_contact,
    moderations_enable,
    keep_bodies,
  } = token;
  return {
    ...newTokenValues(),
    ...furtherLimits(token),
    ...budgetValues(token.budget),
    name,
    remain_quota,
    unlimited_quota,
    rpm_limit,
    dpm_limit,
    tpm_limit,
    email,
    custom_contact,
    moderations_enable,
    keep_bodies,
    expired_time: expiryText(token.expired_time),
    models: splitList(token.models),
    group: splitList(token.group),
    subnet: splitList(token.subnet),
  };
}

function fieldsOf(values: TokenValues) {
  return {
    name: values.name.trim(),
    expired_time: readExpiry(values.expired_time) ?? Number.NaN,
    unlimited_quota: values.unlimited_quota,
    models: joinList(values.models),
    subnet: joinList(values.subnet),
    rpm_limit: typedNumber(values.rpm_limit),
    dpm_limit: typedNumber(values.dpm_limit),
    tpm_limit: typedNumber(values.tpm_limit),
    email: values.email.trim(),
    custom_contact: values.custom_contact.trim(),
    moderations_enable: values.moderations_enable,
  };
}

export function createTokenPayload(values: TokenValues): CreateTokenInput {
  return {
    ...fieldsOf(values),
    remain_quota: values.unlimited_quota && values.remain_quota === "" ? 0 : typedNumber(values.remain_quota),
    batch_number: typedNumber(values.batch_number),
    ...(values.group.length > 0 ? { group: joinList(values.group) } : {}),
    ...changedLimits(FURTHER_LIMITS, values, {}),
    ...(values.keep_bodies ? { keep_bodies: true } : {}),
    ...budgetPayload(values, null),
  };
}

/**
 * Returns the input that saves a stored token. It has the quota only if that was edited: requests go on spending quota while the form is open.
 */
export function updateTokenPayload(values: TokenValues, token: Token): UpdateTokenInput {
  const { remain_quota: remaining, recharge_quota: recharge, unlimited_quota: isUnlimited } = values;
  const isQuotaEdited = remaining !== token.remain_quota && !(isUnlimited && remaining === "");
  const isRecharged = !isUnlimited && recharge !== "" && recharge !== 0;
  return {
    id: token.id,
    ...fieldsOf(values),
    ...(isQuotaEdited ? { remain_quota: typedNumber(remaining) } : {}),
    ...(values.keep_bodies === token.keep_bodies ? {} : { keep_bodies: values.keep_bodies }),
    ...(joinList(values.group) === token.group ? {} : { group: joinList(values.group) }),
    ...changedLimits(FURTHER_LIMITS, values, token),
    ...(isRecharged ? { recharge_quota: typedNumber(recharge) } : {}),
    ...budgetPayload(values, token.budget),
  };
}

/** Returns what a save of the form sends, and the schema that the server checks it with. */
export function tokenInput(values: TokenValues, token: Token | undefined): { schema: Schema; input: unknown } {
  return token === undefined
    ? { schema: createTokenInputSchema, input: createTokenPayload(values) }
    : { schema: updateTokenInputSchema, input: updateTokenPayload(values, token) };
}

const LIMITS = ["rpm_limit", "dpm_limit", "tpm_limit"] as const;

export function useTokenProblems(token: Token | undefined): (values: TokenValues) => FormErrors {
  const { t } = useTranslation("tokens", "budgets");
  const validate = useValidateForm();
  const wholeNumber = t("problems.wholeNumber");
  const numberTexts = { "wrong-type": wholeNumber, "too-small": wholeNumber };
  const texts: ProblemTexts<keyof TokenValues> = {
    name: { missing: t("problems.name") },
    remain_quota: { "wrong-type": t("problems.quota"), "too-small": t("problems.quota") },
    ...Object.fromEntries(LIMITS.map((limit) => [limit, numberTexts])),
    ...Object.fromEntries(FURTHER_LIMITS.map((limit) => [limit, numberTexts])),
    recharge_quota: t("problems.dollars"),
    batch_number: t("problems.batch", { min: TOKEN_LIMITS.leastBatch, max: TOKEN_LIMITS.batch }),
    budget_quota: t("budgets:problem"),
    expired_time: { "wrong-type": t("problems.expiry"), "too-small": t("problems.expiry") },
    email: { "not-valid": t("problems.email") },
  };
  return (values) => {
    const network = wrongNetwork(values.subnet);
    const { schema, input } = tokenInput(values, token);
    return {
      ...validate(schema, input, texts),
      ...(network === undefined ? {} : { subnet: t("problems.network", { network }) }),
    };
  };
}
