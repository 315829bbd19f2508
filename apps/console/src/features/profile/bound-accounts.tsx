import { TextInput } from "@mantine/core";
import type { User } from "@one-api/contract/user";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../components/form/form-section.tsx";

/** What is bound to the own account; changed in the settings, shown here. */
export function BoundAccounts({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const bound = [
    { name: t("email"), value: user.email },
    { name: "GitHub", value: user.github_id },
    { name: t("wechat"), value: user.wechat_id },
    { name: "Lark", value: user.lark_id },
  ];
  return (
    <FormSection title={t("bound")} description={t("boundHint")}>
      {bound.map(({ name, value }) => (
        <TextInput key={name} label={name} value={value} placeholder={t("notBound")} readOnly variant="filled" />
      ))}
    </FormSection>
  );
}
