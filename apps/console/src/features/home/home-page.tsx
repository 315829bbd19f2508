import type { SessionUser } from "@one-api/contract/accounts/user";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { SetContent } from "../../components/content/set-content.tsx";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { usePageTitle } from "../../lib/browser/use-page-title.ts";
import { BalanceNotice } from "../topup/balance-notice.tsx";
import { FirstCall } from "./first-call.tsx";
import { FirstSteps, PATH_OF_STEP } from "./first-steps.tsx";
import classes from "./home-page.module.css";
import { type FirstStep, firstStepsQuery, hasCalled, homeContentQuery } from "./home-queries.ts";
import { SystemFacts } from "./system-facts.tsx";

const OfferedModels = lazyPart(() => import("./offered-models.tsx"));
const HomeSummary = lazyPart(
  () => import("./summary/home-summary.tsx"),
  ["dashboard", "logs", "channel-reasons", "playground", "tokens"],
);

function NextStep({ steps }: { steps: readonly FirstStep[] | undefined }) {
  const { t } = useTranslation("home");
  if (steps === undefined) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <div className={classes.ways}>
      {next === undefined ? (
        <ButtonLink to="/dashboard">{t("dashboard")}</ButtonLink>
      ) : (
        <ButtonLink to="/dashboard" variant="default">
          {t("dashboard")}
        </ButtonLink>
      )}
      {next !== undefined && <ButtonLink to={PATH_OF_STEP[next.name]}>{t(`steps.${next.name}.title`)}</ButtonLink>}
    </div>
  );
}

function Head({ title, actions }: { title: string; actions: ReactNode }) {
  const { t } = useTranslation("home");
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title} id="page-title" tabIndex={-1}>
          {title}
        </h1>
        <p className={classes.text}>{t("lead")}</p>
      </div>
      {actions}
    </header>
  );
}

/** Steps that could not be loaded say nothing about requests: the summary is shown. */
function OwnCards({ steps }: { steps: readonly FirstStep[] | undefined }) {
  const last = (
    <>
      <FirstCall />
      <SystemFacts />
    </>
  );
  return (
    <>
      <BalanceNotice />
      <FirstSteps steps={steps ?? []} />
      {steps === undefined || hasCalled(steps) ? <HomeSummary>{last}</HomeSummary> : last}
    </>
  );
}

function VisitorCards() {
  const { pricing_enabled: hasPrices } = useStoredStatus();
  return (
    <>
      <SystemFacts />
      <FirstCall />
      {hasPrices && <OfferedModels />}
    </>
  );
}

function VisitorWelcome() {
  const { t } = useTranslation("home");
  const { system_name: systemName, register_enabled: canRegister } = useStoredStatus();
  const actions = (
    <div className={classes.ways}>
      <ButtonLink to="/login" {...(canRegister && { variant: "default" })}>
        {t("logIn")}
      </ButtonLink>
      {canRegister && <ButtonLink to="/register">{t("register")}</ButtonLink>}
    </div>
  );
  return (
    <div className={classes.page} data-settles={false}>
      <Head title={systemName} actions={actions} />
      <VisitorCards />
    </div>
  );
}

function OwnWelcome({ user }: { user: SessionUser }) {
  const { t } = useTranslation("home");
  const steps = useQuery(firstStepsQuery(user));
  return (
    <div className={classes.page} data-settles>
      <Head
        title={t("welcome", { name: user.display_name || user.username })}
        actions={<NextStep steps={steps.data} />}
      />
      {steps.isLoading ? <div data-loading /> : <OwnCards steps={steps.data} />}
    </div>
  );
}

export default function HomePage() {
  const { t } = useTranslation("home");
  const user = useCurrentUser();
  const content = useQuery(homeContentQuery);
  const showLoading = useDelayed(content.isPending);
  usePageTitle("");
  if (content.isPending) return showLoading ? <LoadingPlaceholder /> : null;
  const text = content.data ?? "";
  if (text.trim() !== "") return <SetContent content={text} title={t("title")} />;
  return user === undefined ? <VisitorWelcome /> : <OwnWelcome user={user} />;
}
