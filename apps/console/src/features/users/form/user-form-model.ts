import type { FormErrors } from "@mantine/form";
import { joinList, splitList } from "@one-api/contract/texts";
import { MIN_PASSWORD_LENGTH } from "@one-api/contract/accounts/user-constants";
import type { CreateUserInput, ManagedUser, UpdateUserInput } from "@one-api/contract/accounts/user-management";
import {
  type BudgetValues,
  budgetPayload,
  budgetValues,
  isBudgetAmountMissing,
} from "../../../lib/values/budget-values.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";

/** Form values. An empty number field holds a text. */
export interface UserValues extends BudgetValues {
  username: string;
  display_name: string;
  /** Empty keeps a stored user's. */
  password: string;
  group: string[];
  quota: number | string;
}

export function newUserValues(): UserValues {
  return { username: "", display_name: "", password: "", group: [], quota: 0, ...budgetValues(null) };
}

export function storedUserValues({ username, display_name, group, quota, budget }: ManagedUser): UserValues {
  return { username, display_name, password: "", group: splitList(group), quota, ...budgetValues(budget) };
}

export function createUserPayload({ username, display_name, password }: UserValues): CreateUserInput {
  return { username: username.trim(), display_name: display_name.trim(), password };
}

/**
 * Input that saves a stored user. It has the quota only after an edit: requests spend it while the form is open, and an
 * old value would restore spent quota.
 */
export function updateUserPayload(values: UserValues, user: ManagedUser): UpdateUserInput {
  const { quota } = values;
  return {
    id: user.id,
    username: values.username.trim(),
    display_name: values.display_name.trim(),
    group: joinList(values.group),
    ...(values.password === "" ? {} : { password: values.password }),
    ...(typeof quota === "number" && quota !== user.quota ? { quota } : {}),
    ...budgetPayload(values, user.budget),
  };
}

type UserProblem = "username" | "password" | "passwordTooShort" | "quota" | "budget";

function validateUser(values: UserValues, isNew: boolean): Partial<Record<keyof UserValues, UserProblem>> {
  const { username, password, quota } = values;
  const isWhole = typeof quota === "number" && Number.isSafeInteger(quota) && quota >= 0;
  return {
    ...(username.trim() === "" ? { username: "username" } : {}),
    ...(isNew && password === "" ? { password: "password" } : {}),
    ...(password !== "" && password.length < MIN_PASSWORD_LENGTH ? { password: "passwordTooShort" } : {}),
    ...(isWhole ? {} : { quota: "quota" }),
    ...(isBudgetAmountMissing(values) ? { budget_quota: "budget" } : {}),
  };
}

/** Returns the validation of the form, in the language of the console. */
export function useUserProblems(isNew: boolean): (values: UserValues) => FormErrors {
  const { t } = useTranslation("users", "budgets", "common");
  return (values) => {
    const problems = Object.entries(validateUser(values, isNew));
    return Object.fromEntries(
      problems.map(([field, problem]) => [
        field,
        problem === "budget" ? t("budgets:problem") : t(`problems.${problem}`),
      ]),
    );
  };
}
