import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { useCurrentUser, useIsAdmin } from "../../lib/session.ts";
import { useStoredStatus } from "../../lib/stored-status.ts";
import { useFirstSteps } from "./api/use-first-steps.ts";
import { firstCallExample } from "./first-call-example.ts";
import { type Step, StepList } from "./step-list.tsx";
import classes from "./welcome.module.css";

function VisitorSteps() {
  const { t } = useTranslation("home");
  return (
    <div className={classes.buttons}>
      <ButtonLink to="/login" variant="filled">
        {t("logIn")}
      </ButtonLink>
      <ButtonLink to="/register" variant="default">
        {t("register")}
      </ButtonLink>
    </div>
  );
}

function UserSteps() {
  const { t } = useTranslation("home");
  const isAdmin = useIsAdmin();
  const done = useFirstSteps(isAdmin);
  const forAdmins: Step[] = [
    { id: "password", path: "/user/edit", isDone: undefined },
    { id: "channel", path: "/channel/add", isDone: done.channelAdded },
    { id: "test", path: "/channel", isDone: done.channelTested },
  ];
  const steps: Step[] = [
    ...(isAdmin ? forAdmins : []),
    { id: "token", path: done.tokenCreated === true ? "/token" : "/token/add", isDone: done.tokenCreated },
    { id: "call", path: "/log", isDone: done.callMade },
  ];
  return (
    <section className={classes.panel} aria-label={t("steps.title")}>
      <h2 className={classes.heading}>{t("steps.title")}</h2>
      <StepList steps={steps} />
    </section>
  );
}

/** The built-in home page: what this is, how to begin, and a call to copy. */
export function Welcome() {
  const { t } = useTranslation("home");
  const user = useCurrentUser();
  const status = useStoredStatus();
  const server = status.server_address === "" ? window.location.origin : status.server_address;
  return (
    <div className={classes.page}>
      <header>
        <h1 className={classes.title}>{t("welcome", { system: status.system_name })}</h1>
        <p className={classes.lead}>{t("lead")}</p>
      </header>
      <div className={classes.columns}>
        {user === undefined ? <VisitorSteps /> : <UserSteps />}
        <section className={classes.panel} aria-label={t("example.title")}>
          <h2 className={classes.heading}>{t("example.title")}</h2>
          <p className={classes.hint}>{t("example.hint")}</p>
          <CodeBlock code={firstCallExample(server)} />
        </section>
      </div>
    </div>
  );
}
