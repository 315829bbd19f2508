import { Alert, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { User } from "@one-api/contract/accounts/user";
import { MIN_PASSWORD_LENGTH } from "@one-api/contract/accounts/user-constants";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { SecretInput } from "../../components/secret-input.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../../components/boxes/card.tsx";
import { Facts } from "../../components/boxes/facts.tsx";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection } from "../../components/form/form-section.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { dropToasts, toastSuccess } from "../../lib/toasts/toasts.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { AccountLimitsCard } from "../limits/limit-use-card.tsx";
import { defaultPasswordStands, rememberDefaultPassword } from "../login/default-password.ts";
import { type ProfileValues, useProfileProblems } from "./profile-problems.ts";
import { useUpdateSelf } from "./self-mutations.ts";
import { useSelf } from "./self-queries.ts";

/** Bindings of the account, read-only here; the settings change them. */
function BoundAccounts({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const bound = [
    { label: t("email"), value: user.email },
    { label: "GitHub", value: user.github_id },
    { label: t("wechat"), value: user.wechat_id },
    { label: t("lark"), value: user.lark_id },
    { label: "OpenID Connect", value: user.oidc_id },
  ];
  return (
    <Card
      title={t("bound")}
      description={
        <TextLink to="/setting" inherit>
          {t("boundHint")}
        </TextLink>
      }
    >
      <Facts facts={bound.map(({ label, value }) => ({ label, value: value || t("notBound") }))} />
    </Card>
  );
}

/** Whether root still has the password of the first start, and what follows its end: the home page, which has the next steps. */
function useDefaultPassword() {
  const navigate = useNavigate();
  const [stands, setStands] = useState(defaultPasswordStands);
  const leaveBehind = () => {
    if (!stands) return;
    rememberDefaultPassword(false);
    // "Change the default password immediately" is done.
    dropToasts("warning");
    setStands(false);
    void navigate({ to: "/" });
  };
  return { stands, leaveBehind };
}

function EditSelfForm({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  const defaultPassword = useDefaultPassword();
  const update = useUpdateSelf();
  const form = useForm<ProfileValues>({
    initialValues: { username: user.username, display_name: user.display_name, password: "" },
    validateInputOnBlur: true,
    validate: useProfileProblems(),
  });
  const onSaved = () => {
    toastSuccess(t("saved"));
    const hasNewPassword = form.values.password !== "";
    form.setInitialValues({ ...form.values, password: "" });
    form.reset();
    if (hasNewPassword) defaultPassword.leaveBehind();
  };
  const warning = defaultPassword.stands && (
    <Alert color="warning" icon={<IconAlertTriangle size={18} />} mb="md">
      {t("defaultPassword")}
    </Alert>
  );
  return (
    <FormPage
      title={t("title")}
      backPath="/setting"
      backLabel={t("settings")}
      form={form}
      save={update.mutateAsync}
      onSaved={onSaved}
      notice={warning}
    >
      <FormSection title={t("account")}>
        <TextInput label={t("username")} withAsterisk autoComplete="username" {...form.getInputProps("username")} />
        <TextInput label={t("displayName")} autoComplete="nickname" {...form.getInputProps("display_name")} />
        <SecretInput
          label={t("newPassword")}
          description={t("newPasswordHint", { length: MIN_PASSWORD_LENGTH })}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": t("showPassword") }}
          {...form.getInputProps("password")}
        />
      </FormSection>
      <BoundAccounts user={user} />
      <AccountLimitsCard />
    </FormPage>
  );
}

export default function EditSelfPage() {
  const { t } = useTranslation("profile");
  const self = useSelf();
  const showLoading = useDelayed(self.isPending);
  if (self.data !== undefined) return <EditSelfForm user={self.data} />;
  if (self.isError) {
    return (
      <FormLoadError title={t("title")} backPath="/token" error={self.error} onRetry={() => void self.refetch()} />
    );
  }
  return showLoading ? <LoadingPlaceholder prompt={t("prompt")} /> : null;
}
