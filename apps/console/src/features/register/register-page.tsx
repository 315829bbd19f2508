import { Button, Stack, TextInput } from "@mantine/core";
import type { RegistrationInput } from "@one-api/contract/accounts/registration";
import { MIN_PASSWORD_LENGTH } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useEffect, useState } from "react";
import { SecretInput } from "../../components/secret-input.tsx";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { readStored, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { EntryPage } from "../login/entry-page.tsx";
import { OtherLogins } from "../oauth/other-logins.tsx";
import { EmailCodeFields } from "../verification/email-code-fields.tsx";
import { useHumanCheck } from "../verification/use-human-check.tsx";

const route = getRouteApi("/register");

const EMPTY = { invitation: "", username: "", password: "", password2: "", email: "", verification_code: "" };

/** Keeps who invited, so that the code is there whenever the person signs up. */
function useInviteCode(): string {
  const { aff } = route.useSearch();
  useEffect(() => {
    if (aff !== undefined) writeStored(STORAGE_KEY.inviteCode, aff);
  }, [aff]);
  return aff ?? readStored(STORAGE_KEY.inviteCode) ?? "";
}

function useRegister() {
  const { t } = useTranslation("registration");
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ turnstile, ...body }: RegistrationInput & { turnstile: string }) =>
      callApi("POST /api/user/register", { query: { turnstile }, body }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("registered"));
      writeStored(STORAGE_KEY.inviteCode, undefined);
      void navigate({ to: "/login" });
    },
  });
}

function useRegistrationForm() {
  const inviteCode = useInviteCode();
  const human = useHumanCheck("register");
  const send = useRegister();
  const { invitation: invited = "" } = route.useSearch();
  const [values, setValues] = useState({ ...EMPTY, invitation: invited });
  const [wasTried, setWasTried] = useState(false);
  const isShort = values.password.length < MIN_PASSWORD_LENGTH;
  const differs = values.password !== values.password2;
  const set = (name: keyof typeof EMPTY) => (value: string) => {
    setValues({ ...values, [name]: value });
    if (send.isError) send.reset();
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (values.username.trim() === "" || values.password === "") return;
    setWasTried(true);
    if (isShort || differs) return;
    const turnstile = human.take();
    if (turnstile !== undefined) send.mutate({ ...values, aff_code: inviteCode, turnstile });
  };
  const problems = { isShort: wasTried && isShort, differs: wasTried && !isShort && differs };
  return { values, set, submit, send, human, problems, isInvited: invited !== "" };
}

type RegistrationForm = ReturnType<typeof useRegistrationForm>;

function AccountFields({ values, set, problems }: Pick<RegistrationForm, "values" | "set" | "problems">) {
  const { t } = useTranslation("registration");
  const password = {
    placeholder: t("passwordHint"),
    autoComplete: "new-password",
    visibilityToggleButtonProps: { "aria-label": t("showPassword") },
  };
  return (
    <>
      <TextInput
        label={t("username")}
        placeholder={t("usernameHint")}
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        value={values.username}
        onChange={(event) => set("username")(event.currentTarget.value)}
      />
      <SecretInput
        {...password}
        label={t("password")}
        value={values.password}
        error={problems.isShort && t("passwordTooShort")}
        onChange={(event) => set("password")(event.currentTarget.value)}
      />
      <SecretInput
        {...password}
        label={t("password2")}
        value={values.password2}
        error={problems.differs && t("passwordsDiffer")}
        onChange={(event) => set("password2")(event.currentTarget.value)}
      />
    </>
  );
}

export default function RegisterPage() {
  const { t } = useTranslation("registration");
  const status = useStoredStatus();
  const { values, set, submit, send, human, problems, isInvited } = useRegistrationForm();
  return (
    <EntryPage
      title={t("register")}
      heading={t("registerHeading", { system: status.system_name })}
      links={<TextLink to="/login">{t("toLogin")}</TextLink>}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {(isInvited || status.invitation_required) && (
            <TextInput
              label={t("invitation")}
              description={status.invitation_required && t("invitationRequired")}
              autoComplete="off"
              value={values.invitation}
              onChange={(event) => set("invitation")(event.currentTarget.value)}
            />
          )}
          <AccountFields values={values} set={set} problems={problems} />
          {status.email_verification && (
            <EmailCodeFields
              email={values.email}
              code={values.verification_code}
              onEmail={set("email")}
              onCode={set("verification_code")}
              takeHumanAnswer={human.take}
            />
          )}
          {human.widget}
          <ErrorAlert error={send.error} />
          <Button type="submit" fullWidth loading={send.isPending}>
            {t("register")}
          </Button>
        </Stack>
      </form>
      <OtherLogins invitation={values.invitation.trim()} />
    </EntryPage>
  );
}
