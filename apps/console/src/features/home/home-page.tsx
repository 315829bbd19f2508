import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { SetContent } from "../../components/content/set-content.tsx";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { usePageTitle } from "../../lib/browser/use-page-title.ts";
import { FirstCall } from "./first-call.tsx";
import { FirstSteps } from "./first-steps.tsx";
import classes from "./home-page.module.css";
import { useFirstSteps, useHomeContent } from "./home-queries.ts";
import { SystemFacts } from "./system-facts.tsx";

const OfferedModels = lazyPart(() => import("./offered-models.tsx"));

/** The home page of a system whose administrators have not written one. */
function Welcome() {
  const { t } = useTranslation("home");
  const { system_name: systemName, register_enabled: canRegister, pricing_enabled: hasPrices } = useStoredStatus();
  const user = useCurrentUser();
  const steps = useFirstSteps(user);
  return (
    <div className={classes.page}>
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
          <ButtonLink to="/dashboard" variant="default">
            {t("dashboard")}
          </ButtonLink>
        )}
      </header>
      <SystemFacts />
      <FirstSteps steps={steps.data ?? []} />
      {/* It comes with the steps above it, which would push it down. */}
      {steps.isLoading ? <div data-loading /> : <FirstCall />}
      {user === undefined && hasPrices && <OfferedModels />}
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
