import type { FormErrors } from "@mantine/form";
import { LIMIT_FIELDS, MAX_LIMIT } from "@one-api/contract/limits/limits";
import { joinList, splitList } from "@one-api/contract/texts";
import { MIN_PASSWORD_LENGTH } from "@one-api/contract/accounts/user-constants";
import type { CreateUserInput, ManagedUser, UpdateUserInput } from "@one-api/contract/accounts/user-management";
import {
  type BudgetValues,
  budgetPayload,
  budgetValues,
  isBudgetAmountMissing,
} from "../../../lib/values/budget-values.ts";
import { formatInteger } from "../../../lib/format.ts";
import { allLimits, changedLimits, isLimit, type LimitFormValues } from "../../../lib/values/limit-values.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";

/** What the form of a user edits. A number field holds a text while it is empty. */
export interface UserValues extends BudgetValues, LimitFormValues {
  username: string;
  display_name: string;
  /** Empty keeps a stored user's. */
  password: string;
  group: string[];
  quota: number | string;
}

/** Values of the form for a new user. */
export function newUserValues(): UserValues {
  return { username: "", display_name: "", password: "", group: [], quota: 0, ...allLimits({}), ...budgetValues(null) };
}

/** Values of the form for a stored user. */
export function storedUserValues(user: ManagedUser): UserValues {
  const { username, display_name, quota } = user;
  const group = splitList(user.group);
  return { username, display_name, password: "", group, quota, ...allLimits(user), ...budgetValues(user.budget) };
}

/** What creates the user. */
export function createUserPayload({ username, display_name, password }: UserValues): CreateUserInput {
  return { username: username.trim(), display_name: display_name.trim(), password };
}

/**
 * What saves a stored user. The quota is named only when it was edited: requests go on spending it while the form is open, and what
 * they spent must not come back.
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
    ...changedLimits(values, user),
    ...budgetPayload(values, user.budget),
  };
}

/** What can be wrong with a field; the texts have a sentence for each. */
type UserProblem = "username" | "password" | "passwordTooShort" | "quota" | "budget" | "limit";

/** Returns what is wrong with the form. */
function validateUser(values: UserValues, isNew: boolean): Partial<Record<keyof UserValues, UserProblem>> {
  const { username, password, quota } = values;
  const isWhole = typeof quota === "number" && Number.isSafeInteger(quota) && quota >= 0;
  return {
    ...(username.trim() === "" ? { username: "username" } : {}),
    ...(isNew && password === "" ? { password: "password" } : {}),
    ...(password !== "" && password.length < MIN_PASSWORD_LENGTH ? { password: "passwordTooShort" } : {}),
    ...(isWhole ? {} : { quota: "quota" }),
    ...(isBudgetAmountMissing(values) ? { budget_quota: "budget" } : {}),
    ...Object.fromEntries(LIMIT_FIELDS.flatMap((field) => (isLimit(values[field]) ? [] : [[field, "limit"]]))),
  };
}

/** Returns the validation of the form, in the language of the console. */
export function useUserProblems(isNew: boolean): (values: UserValues) => FormErrors {
  const { t, language } = useTranslation("users", "budgets", "limits", "common");
  return (values) => {
    const problems = Object.entries(validateUser(values, isNew));
    return Object.fromEntries(
      problems.map(([field, problem]) => [
        field,
        problem === "budget"
          ? t("budgets:problem")
          : problem === "limit"
            ? t("limits:problem", { max: formatInteger(MAX_LIMIT, language) })
            : t(`problems.${problem}`),
      ]),
    );
  };
}
