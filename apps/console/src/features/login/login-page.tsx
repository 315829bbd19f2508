import { ActionIcon, Alert, Button, Divider, Group } from "@mantine/core";
import { IconBrandGithub, IconBrandWechat, IconClockExclamation, IconFeather } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TextLink } from "../../components/text-link.tsx";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastInfo } from "../../lib/toasts.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { LoginFields, useEnterConsole, useLoginForm } from "./login-form.tsx";
import classes from "./login-page.module.css";
import { useLogIn } from "./session-mutations.ts";

/** Round buttons for the ways to log in that this system has switched on. */
function OtherLogins() {
  const { t } = useTranslation("login", "shell");
  const status = useStoredStatus();
  const ways = [
    { name: "GitHub", enabled: status.github_oauth, icon: IconBrandGithub },
    { name: "WeChat", enabled: status.wechat_login, icon: IconBrandWechat },
    { name: "Lark", enabled: status.lark_client_id !== "", icon: IconFeather },
  ].filter((way) => way.enabled);
  if (ways.length === 0) return null;
  return (
    <>
      <Divider label={t("login:or")} my="md" />
      <Group justify="center" gap="sm">
        {ways.map(({ name, icon: WayIcon }) => {
          const label = t("login:with", { name });
          return (
            <ActionIcon
              key={name}
              variant="default"
              size={44}
              radius="xl"
              aria-label={label}
              title={label}
              onClick={() => toastInfo(t("shell:unavailable.title"))}
            >
              <WayIcon size={20} />
            </ActionIcon>
          );
        })}
      </Group>
    </>
  );
}

const route = getRouteApi("/login");

/** The login. */
export default function LoginPage() {
  const { t } = useTranslation("login");
  const { from, expired } = route.useSearch();
  const { logo, system_name: systemName } = useStoredStatus();
  const logIn = useLogIn();
  const form = useLoginForm({ logIn, onLoggedIn: useEnterConsole(from) });
  const problem = useErrorText(logIn.error);
  usePageTitle(t("title"));
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <img className={classes.logo} src={logo} width={40} height={40} alt="" />
        <h1 className={classes.title} id="page-title" tabIndex={-1}>
          {t("heading", { system: systemName })}
        </h1>
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
        <p className={classes.links}>
          <TextLink to="/reset">{t("forgot")}</TextLink>
          <TextLink to="/register">{t("register")}</TextLink>
        </p>
      </div>
    </div>
  );
}
