import type { FormErrors, UseFormReturnType } from "@mantine/form";
import { joinList, splitList } from "@one-api/contract/texts";
import { isEmail } from "@one-api/contract/accounts/email";
import { wrongNetwork } from "@one-api/contract/networks";
import {
  NEVER_EXPIRES,
  TOKEN_DEFAULTS,
  TOKEN_LIMITS,
  type CreateTokenInput,
  type Token,
  type UpdateTokenInput,
} from "@one-api/contract/token";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import {
  type BudgetValues,
  budgetPayload,
  budgetValues,
  isBudgetAmountMissing,
} from "../../../lib/values/budget-values.ts";
import { expiryAfter, expiryText, readExpiry } from "./expiry.ts";

/** Form values. An empty number field holds a text. */
export interface TokenValues extends BudgetValues {
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
  subnet: string[];
  email: string;
  custom_contact: string;
  moderations_enable: boolean;
  keep_bodies: boolean;
}

/** The form's state, as its sections take it. */
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
    subnet: [],
    email: "",
    custom_contact: "",
    moderations_enable: false,
    keep_bodies: false,
    ...budgetValues(null),
  };
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
    subnet: splitList(token.subnet),
  };
}

function numberOf(value: number | string): number {
  return typeof value === "number" ? value : 0;
}

function fieldsOf(values: TokenValues) {
  return {
    name: values.name.trim(),
    expired_time: readExpiry(values.expired_time) ?? NEVER_EXPIRES,
    unlimited_quota: values.unlimited_quota,
    models: joinList(values.models),
    subnet: joinList(values.subnet),
    rpm_limit: numberOf(values.rpm_limit),
    dpm_limit: numberOf(values.dpm_limit),
    tpm_limit: numberOf(values.tpm_limit),
    email: values.email.trim(),
    custom_contact: values.custom_contact.trim(),
    moderations_enable: values.moderations_enable,
  };
}

export function createTokenPayload(values: TokenValues): CreateTokenInput {
  return {
    ...fieldsOf(values),
    remain_quota: numberOf(values.remain_quota),
    batch_number: numberOf(values.batch_number),
    ...(values.keep_bodies ? { keep_bodies: true } : {}),
    ...budgetPayload(values, null),
  };
}

/**
 * Input that saves a stored token. It has the quota only after an edit: requests spend it while the form is open, and
 * an old value would restore spent quota.
 */
export function updateTokenPayload(values: TokenValues, token: Token): UpdateTokenInput {
  const recharge = values.unlimited_quota ? 0 : numberOf(values.recharge_quota);
  const isQuotaEdited = typeof values.remain_quota === "number" && values.remain_quota !== token.remain_quota;
  return {
    id: token.id,
    ...fieldsOf(values),
    ...(isQuotaEdited ? { remain_quota: numberOf(values.remain_quota) } : {}),
    ...(values.keep_bodies === token.keep_bodies ? {} : { keep_bodies: values.keep_bodies }),
    ...(recharge > 0 ? { recharge_quota: recharge } : {}),
    ...budgetPayload(values, token.budget),
  };
}

type TokenProblem = "name" | "wholeNumber" | "batch" | "dollars" | "expiry" | "network" | "email" | "budget";

type TokenProblems = Partial<Record<keyof TokenValues, TokenProblem>>;

function isWhole(value: number | string, min: number, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

function isAmount(value: number | string): boolean {
  return value === "" || (typeof value === "number" && value >= 0 && value <= TOKEN_LIMITS.rechargeDollars);
}

function numberProblems(values: TokenValues): TokenProblems {
  const problems: TokenProblems = {};
  for (const field of ["rpm_limit", "dpm_limit", "tpm_limit"] as const) {
    if (!isWhole(values[field], 0, TOKEN_LIMITS.perMinute)) problems[field] = "wholeNumber";
  }
  if (!values.unlimited_quota && !isWhole(values.remain_quota, 0, Number.MAX_SAFE_INTEGER))
    problems.remain_quota = "wholeNumber";
  if (!values.unlimited_quota && !isAmount(values.recharge_quota)) problems.recharge_quota = "dollars";
  if (isBudgetAmountMissing(values)) problems.budget_quota = "budget";
  if (!isWhole(values.batch_number, 1, TOKEN_LIMITS.batch)) problems.batch_number = "batch";
  return problems;
}

export function validateToken(values: TokenValues): TokenProblems {
  return {
    ...(values.name.trim() === "" ? { name: "name" as const } : {}),
    ...numberProblems(values),
    ...(readExpiry(values.expired_time) === undefined ? { expired_time: "expiry" as const } : {}),
    ...(wrongNetwork(values.subnet) === undefined ? {} : { subnet: "network" as const }),
    ...(values.email.trim() === "" || isEmail(values.email.trim()) ? {} : { email: "email" as const }),
  };
}

/** Returns the validation of the form, in the language of the console. */
export function useTokenProblems(): (values: TokenValues) => FormErrors {
  const { t } = useTranslation("tokens", "budgets", "common");
  return (values) => {
    const details = { network: wrongNetwork(values.subnet) ?? "", max: TOKEN_LIMITS.batch };
    const problems = Object.entries(validateToken(values));
    return Object.fromEntries(
      problems.map(([field, problem]) => [
        field,
        problem === "budget" ? t("budgets:problem") : t(`problems.${problem}`, details),
      ]),
    );
  };
}
