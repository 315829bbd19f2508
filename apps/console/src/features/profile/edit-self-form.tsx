import { Alert, PasswordInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { MIN_PASSWORD_LENGTH, type User } from "@one-api/contract/user";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection } from "../../components/form/form-section.tsx";
import { toastSuccess } from "../../lib/toasts.ts";
import { defaultPasswordStands, rememberDefaultPassword } from "../login/uses-default-password.ts";
import { useUpdateSelf } from "./api/use-update-self.ts";
import { BoundAccounts } from "./bound-accounts.tsx";

interface ProfileValues {
  username: string;
  display_name: string;
  password: string;
}

/** Own username, display name and password. Empty fields stay as they are. */
export function EditSelfForm({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const [isDefaultPassword, setDefaultPassword] = useState(defaultPasswordStands);
  const update = useUpdateSelf();
  const form = useForm<ProfileValues>({
    initialValues: { username: user.username, display_name: user.display_name, password: "" },
    validateInputOnBlur: true,
    validate: {
      username: (name) => (name.trim() === "" ? t("usernameMissing") : null),
      password: (password) => (password !== "" && password.length < MIN_PASSWORD_LENGTH ? t("passwordTooShort") : null),
    },
  });
  const onSaved = () => {
    toastSuccess(t("saved"));
    if (form.values.password !== "") {
      rememberDefaultPassword(false);
      setDefaultPassword(false);
    }
    form.setInitialValues({ ...form.values, password: "" });
    form.reset();
  };
  const warning = isDefaultPassword && (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} mb="md">
      {t("defaultPassword")}
    </Alert>
  );
  return (
    <FormPage
      title={t("title")}
      backPath="/token"
      form={form}
      save={update.mutateAsync}
      onSaved={onSaved}
      notice={warning}
    >
      <FormSection title={t("account")}>
        <TextInput label={t("username")} withAsterisk autoComplete="username" {...form.getInputProps("username")} />
        <TextInput label={t("displayName")} autoComplete="nickname" {...form.getInputProps("display_name")} />
        <PasswordInput
          label={t("newPassword")}
          description={t("newPasswordHint", { length: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
          {...form.getInputProps("password")}
        />
      </FormSection>
      <BoundAccounts user={user} />
    </FormPage>
  );
}
