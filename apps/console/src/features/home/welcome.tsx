import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { useCurrentUser } from "../../lib/session.ts";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { FirstCall } from "./first-call.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { SystemFacts } from "./system-facts.tsx";
import classes from "./welcome.module.css";

/** The home page of a system whose administrators have not written one. */
export function Welcome() {
  const { t } = useTranslation("home");
  const { system_name: systemName } = useStoredStatus();
  const user = useCurrentUser();
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <h1 className={classes.title} id="page-title" tabIndex={-1}>
            {user === undefined ? systemName : t("welcome", { name: user.display_name || user.username })}
          </h1>
          <p className={classes.text}>{t("lead")}</p>
        </div>
        {user === undefined && <ButtonLink to="/login">{t("logIn")}</ButtonLink>}
      </header>
      <SystemFacts />
      {user !== undefined && <FirstSteps user={user} />}
      <FirstCall />
    </div>
  );
}
