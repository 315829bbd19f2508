import type { FormErrors } from "@mantine/form";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { allLimits, changedLimits, type LimitFormValues } from "../../../lib/values/limit-values.ts";
import {
  type CreateUserInput,
  createUserInputSchema,
  type ManagedUser,
  type UpdateUserInput,
  updateUserInputSchema,
} from "@one-api/contract/accounts/user-management";
import type { Schema } from "@one-api/contract/call";
import { joinList, splitList } from "@one-api/contract/texts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../../lib/validate-form.ts";
import { type BudgetValues, budgetPayload, budgetValues } from "../../../lib/values/budget-values.ts";
import { typedNumber } from "../../../lib/values/typed-number.ts";

export interface UserValues extends BudgetValues, LimitFormValues {
  username: string;
  display_name: string;
  /** Empty keeps a stored user's. */
  password: string;
  group: string[];
  quota: number | string;
}

export function newUserValues(): UserValues {
  return { username: "", display_name: "", password: "", group: [], quota: 0, ...allLimits({}), ...budgetValues(null) };
}

export function storedUserValues(user: ManagedUser): UserValues {
  const { username, display_name, quota } = user;
  const group = splitList(user.group);
  return { username, display_name, password: "", group, quota, ...allLimits(user), ...budgetValues(user.budget) };
}

export function createUserPayload({ username, display_name, password }: UserValues): CreateUserInput {
  return { username: username.trim(), display_name: display_name.trim(), password };
}

/**
 * Returns the input that saves a stored user. It has the quota only if that was edited: requests go on spending quota while the form is open.
 */
export function updateUserPayload(values: UserValues, user: ManagedUser): UpdateUserInput {
  const { quota } = values;
  return {
    id: user.id,
    username: values.username.trim(),
    display_name: values.display_name.trim(),
    group: joinList(values.group),
    ...(values.password === "" ? {} : { password: values.password }),
    ...(quota === user.quota ? {} : { quota: typedNumber(quota) }),
    ...changedLimits(LIMIT_FIELDS, values, user),
    ...budgetPayload(values, user.budget),
  };
}

function userInput(values: UserValues, user: ManagedUser | undefined): { schema: Schema; input: unknown } {
  return user === undefined
    ? { schema: createUserInputSchema, input: createUserPayload(values) }
    : { schema: updateUserInputSchema, input: updateUserPayload(values, user) };
}

export function useUserProblems(user: ManagedUser | undefined): (values: UserValues) => FormErrors {
  const { t } = useTranslation("users", "budgets");
  const validate = useValidateForm();
  const wholeNumber = t("problems.quota");
  const texts: ProblemTexts<keyof UserValues> = {
    username: { missing: t("problems.username") },
    password: { missing: t("problems.password"), "too-short": t("problems.passwordTooShort") },
    quota: { "wrong-type": wholeNumber, "too-small": wholeNumber },
    ...Object.fromEntries(
      LIMIT_FIELDS.map((field) => [field, { "wrong-type": wholeNumber, "too-small": wholeNumber }]),
    ),
    budget_quota: t("budgets:problem"),
  };
  return (values) => {
    const { schema, input } = userInput(values, user);
    return validate(schema, input, texts);
  };
}
