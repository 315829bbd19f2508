import { Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import type { TokenFormState } from "./token-values.ts";

const MAX_ADDRESS_LENGTH = 254;

/** Who hears of the token's end, whom its callers turn to, and the check of prompts. */
export function NoticeSection({ form }: { form: TokenFormState }) {
  const { t } = useTranslation("tokens");
  return (
    <FormSection title={t("form.notices")}>
      <TextInput
        label={t("form.email")}
        description={t("form.emailHint")}
        type="email"
        autoComplete="email"
        maxLength={MAX_ADDRESS_LENGTH}
        {...form.getInputProps("email")}
      />
      <TextInput
        label={t("form.contact")}
        description={t("form.contactHint")}
        maxLength={MAX_ADDRESS_LENGTH}
        {...form.getInputProps("custom_contact")}
      />
      <FormWide>
        <Switch
          label={t("form.moderation")}
          description={t("form.moderationHint")}
          {...form.getInputProps("moderations_enable", { type: "checkbox" })}
        />
      </FormWide>
    </FormSection>
  );
}
