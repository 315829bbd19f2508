import type { FormErrors } from "@mantine/form";
import { topUpUser } from "@one-api/contract/accounts/user-management";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../lib/validate-form.ts";
import { typedNumber } from "../../lib/values/typed-number.ts";

export interface AddBalanceValues {
  quota: number | string;
  remark: string;
}

export function addBalancePayload({ quota, remark }: AddBalanceValues) {
  return { quota: typedNumber(quota), remark: remark.trim() };
}

export function useAddBalanceProblems(userId: number): (values: AddBalanceValues) => FormErrors {
  const { t } = useTranslation("user-page");
  const validate = useValidateForm();
  const texts: ProblemTexts<keyof AddBalanceValues> = {
    quota: { "wrong-type": t("add.problem"), "too-small": t("add.problem") },
  };
  return (values) => validate(topUpUser.body, { user_id: userId, ...addBalancePayload(values) }, texts);
}
