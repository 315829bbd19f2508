import { Button, Skeleton, Stack, TextInput } from "@mantine/core";
import type { RegistrationInput } from "@one-api/contract/accounts/registration";
import { MIN_PASSWORD_LENGTH } from "@one-api/contract/accounts/user-constants";
import { IconCheck, IconPoint } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useEffect, useState } from "react";
import { SecretInput } from "../../components/secret-input.tsx";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { ApiError } from "../../lib/api/api-error.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { readStored, writeStored } from "../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { checkEntry, loadEntryRules } from "../../lib/check-entry.ts";
import { EntryPage } from "../login/entry-page.tsx";
import { OtherLogins } from "../oauth/other-logins.tsx";
import { EmailCodeFields } from "../verification/email-code-fields.tsx";
import { InvitationNote } from "./invitation-note.tsx";
import { invitationQuery } from "./invitation-query.ts";
import classes from "./register-page.module.css";
import { useHumanCheck } from "../verification/use-human-check.tsx";

const route = getRouteApi("/register");

const EMPTY = { invitation: "", username: "", password: "", password2: "", email: "", verification_code: "" };

/** Stores the invite code, so that it is available when the visitor signs up. */
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

function useRegistrationProblem(refusal: ApiError | undefined): (field: keyof typeof EMPTY) => string | false {
  const { t } = useTranslation("registration");
  const text = useErrorText(refusal);
  return (field) => {
    if (refusal?.field !== field) return false;
    if (field === "password2") return t("passwordsDiffer");
    return field === "password" && refusal.values?.["problem"] === "too-short" ? t("passwordTooShort") : text;
  };
}

function useRegistrationForm() {
  const inviteCode = useInviteCode();
  const human = useHumanCheck("register");
  const send = useRegister();
  const { invitation: invited = "" } = route.useSearch();
  const [values, setValues] = useState({ ...EMPTY, invitation: invited });
  const [refusal, setRefusal] = useState<ApiError>();
  const problemOf = useRegistrationProblem(refusal);
  const set = (name: keyof typeof EMPTY) => (value: string) => {
    void loadEntryRules();
    setValues({ ...values, [name]: value });
    if (refusal?.field === name) setRefusal(undefined);
    if (send.isError) send.reset();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const body = { ...values, aff_code: inviteCode };
    const found = await checkEntry("registration", body);
    setRefusal(found);
    if (found !== undefined) return;
    const turnstile = human.take();
    if (turnstile !== undefined) send.mutate({ ...body, turnstile });
  };
  return { values, set, submit, send, human, problemOf, invited };
}

type RegistrationForm = ReturnType<typeof useRegistrationForm>;

interface InvitationFieldProps extends Pick<RegistrationForm, "values" | "set" | "problemOf"> {
  code: string;
}

/** The inviter of an open invitation in the address. Else the field for a code, if one is required or the address has a wrong one. */
function InvitationField({ code, values, set, problemOf }: InvitationFieldProps) {
  const { t } = useTranslation("registration");
  const { invitation_required: isRequired } = useStoredStatus();
  const invitation = useQuery({ ...invitationQuery(code), enabled: code !== "" });
  const problem = useErrorText(invitation.error);
  const refused = problemOf("invitation");
  if (code !== "" && invitation.isPending) return <Skeleton height={72} />;
  if (invitation.data !== undefined && refused === false) return <InvitationNote invitation={invitation.data} />;
  if (code === "" && !isRequired) return null;
  return (
    <TextInput
      label={t("invitation")}
      description={isRequired && t("invitationRequired")}
      autoComplete="off"
      value={values.invitation}
      error={refused || (values.invitation === code && problem)}
      onChange={(event) => set("invitation")(event.currentTarget.value)}
    />
  );
}

/** A rule below its field, from the first letter on: the placeholder that says it is gone then. */
function ruleOf(isShown: boolean, isMet: boolean, text: string) {
  if (!isShown) return {};
  const Mark = isMet ? IconCheck : IconPoint;
  const description = (
    <span className={classes.rule} data-met={isMet}>
      <Mark size={14} aria-hidden="true" />
      {text}
    </span>
  );
  return {
    description,
    inputWrapperOrder: ["label" as const, "input" as const, "error" as const, "description" as const],
  };
}

function AccountFields({ values, set, problemOf }: Pick<RegistrationForm, "values" | "set" | "problemOf">) {
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
        error={problemOf("username")}
        onChange={(event) => set("username")(event.currentTarget.value)}
      />
      <SecretInput
        {...password}
        label={t("password")}
        {...ruleOf(values.password !== "", values.password.length >= MIN_PASSWORD_LENGTH, t("passwordRule"))}
        value={values.password}
        error={problemOf("password")}
        onChange={(event) => set("password")(event.currentTarget.value)}
      />
      <SecretInput
        {...password}
        label={t("password2")}
        {...ruleOf(values.password2 !== "" && values.password2 === values.password, true, t("passwordsMatch"))}
        value={values.password2}
        error={problemOf("password2")}
        onChange={(event) => set("password2")(event.currentTarget.value)}
      />
    </>
  );
}

export default function RegisterPage() {
  const { t } = useTranslation("registration");
  const status = useStoredStatus();
  const { values, set, submit, send, human, problemOf, invited } = useRegistrationForm();
  return (
    <EntryPage
      title={t("register")}
      heading={t("registerHeading", { system: status.system_name })}
      links={<TextLink to="/login">{t("toLogin")}</TextLink>}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <InvitationField code={invited} values={values} set={set} problemOf={problemOf} />
          <AccountFields values={values} set={set} problemOf={problemOf} />
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
