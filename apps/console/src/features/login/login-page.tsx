import { Alert, Button } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TextLink } from "../../components/text-link.tsx";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { OtherLogins } from "../oauth/other-logins.tsx";
import { EntryPage } from "./entry-page.tsx";
import { LoginFields, useEnterConsole, useLoginForm } from "./login-form.tsx";
import { useLogIn } from "./session-mutations.ts";

const route = getRouteApi("/login");

/** The login. */
export default function LoginPage() {
  const { t } = useTranslation("login");
  const { from, expired } = route.useSearch();
  const { system_name: system, register_enabled: canRegister } = useStoredStatus();
  const logIn = useLogIn();
  const form = useLoginForm({ logIn, onLoggedIn: useEnterConsole(from) });
  const problem = useErrorText(logIn.error);
  const links = (
    <>
      <TextLink to="/reset">{t("forgot")}</TextLink>
      {canRegister && <TextLink to="/register">{t("register")}</TextLink>}
    </>
  );
  return (
    <EntryPage title={t("title")} heading={t("heading", { system })} links={links}>
      {expired === true && (
        <Alert color="warning" icon={<IconClockExclamation size={18} />} role="alert" mb="md">
          {t("expired")}
        </Alert>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
        onChange={form.onEdit}
        noValidate
      >
        <LoginFields {...form.fields} problem={problem} />
        <Button type="submit" fullWidth mt="md" loading={logIn.isPending}>
          {t("submit")}
        </Button>
      </form>
      <OtherLogins />
    </EntryPage>
  );
}
