import { Alert } from "@mantine/core";
import { IconClockExclamation } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { TextLink } from "../../components/text-link.tsx";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { LoginForm } from "./login-form.tsx";
import classes from "./login-page.module.css";
import { OtherLogins } from "./other-logins.tsx";

const route = getRouteApi("/login");

/** The login. */
export default function LoginPage() {
  const { t } = useTranslation("login");
  const { from, expired } = route.useSearch();
  const { logo, system_name: systemName } = useStoredStatus();
  usePageTitle(t("title"));
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <img className={classes.logo} src={logo} width={40} height={40} alt="" />
        <h1 className={classes.title} id="page-title" tabIndex={-1}>
          {t("heading", { system: systemName })}
        </h1>
        {expired === true && (
          <Alert color="yellow" icon={<IconClockExclamation size={18} />} role="alert" mb="md">
            {t("expired")}
          </Alert>
        )}
        <LoginForm from={from} />
        <OtherLogins />
        <p className={classes.links}>
          <TextLink to="/reset">{t("forgot")}</TextLink>
          <TextLink to="/register">{t("register")}</TextLink>
        </p>
      </div>
    </div>
  );
}
