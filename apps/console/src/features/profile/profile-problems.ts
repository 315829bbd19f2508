import type { FormErrors } from "@mantine/form";
import { profileSchema } from "@one-api/contract/accounts/user";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useValidateForm } from "../../lib/validate-form.ts";

export interface ProfileValues {
  username: string;
  display_name: string;
  /** Empty keeps the stored one. */
  password: string;
}

export function useProfileProblems(): (values: ProfileValues) => FormErrors {
  const { t } = useTranslation("profile");
  const validate = useValidateForm();
  const texts = {
    username: { missing: t("usernameMissing") },
    password: { "too-short": t("passwordTooShort") },
  };
  return (values) => validate(profileSchema, values, texts);
}
