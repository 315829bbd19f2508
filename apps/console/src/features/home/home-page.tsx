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
import { type FirstStep, useFirstSteps, useHomeContent } from "./home-queries.ts";
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

function OwnCards({ steps, hasCalled }: { steps: readonly FirstStep[] | undefined; hasCalled: boolean }) {
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
      {hasCalled ? <HomeSummary>{last}</HomeSummary> : last}
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

function Welcome() {
  const { t } = useTranslation("home");
  const { system_name: systemName, register_enabled: canRegister } = useStoredStatus();
  const user = useCurrentUser();
  const steps = useFirstSteps(user);
  const hasCalled = steps.data?.some(({ name, isDone }) => name === "call" && isDone) === true;
  return (
    <div className={classes.page} data-settles={user !== undefined}>
      <header className={classes.head}>
        <div>
          <h1 className={classes.title} id="page-title" tabIndex={-1}>
            {user === undefined ? systemName : t("welcome", { name: user.display_name || user.username })}
          </h1>
          <p className={classes.text}>{t("lead")}</p>
        </div>
        {user === undefined ? (
          <div className={classes.ways}>
            {canRegister && (
              <ButtonLink to="/register" variant="default">
                {t("register")}
              </ButtonLink>
            )}
            <ButtonLink to="/login">{t("logIn")}</ButtonLink>
          </div>
        ) : (
          <NextStep steps={steps.data} />
        )}
      </header>
      {user === undefined && <VisitorCards />}
      {user !== undefined &&
        (steps.isLoading ? <div data-loading /> : <OwnCards steps={steps.data} hasCalled={hasCalled} />)}
    </div>
  );
}

export default function HomePage() {
  const { t } = useTranslation("home");
  const content = useHomeContent();
  const showLoading = useDelayed(content.isPending);
  usePageTitle("");
  if (content.isPending) return showLoading ? <LoadingPlaceholder /> : null;
  const text = content.data ?? "";
  return text.trim() === "" ? <Welcome /> : <SetContent content={text} title={t("title")} />;
}
