import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SetContent } from "../../components/content/set-content.tsx";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { aboutQuery } from "./about-query.ts";
import classes from "./about-page.module.css";

function AboutContent() {
  const { t } = useTranslation("about");
  const about = useQuery(aboutQuery);
  const isAdmin = useIsAdmin();
  const showLoading = useDelayed(about.isPending);
  if (about.isPending) return showLoading ? <LoadingPlaceholder prompt={t("title")} /> : null;
  if (about.isError) return <ListError error={about.error} onRetry={() => void about.refetch()} />;
  if (about.data.trim() !== "")
    return (
      <div className={classes.content}>
        <SetContent content={about.data} title={t("title")} />
      </div>
    );
  return (
    <EmptyState
      title={t("empty.title")}
      text={t(isAdmin ? "empty.textForAdmins" : "empty.text")}
      action={
        isAdmin && (
          <ButtonLink to="/setting" search={{ option: "About" }}>
            {t("empty.set")}
          </ButtonLink>
        )
      }
    />
  );
}

export default function AboutPage() {
  const { t } = useTranslation("about");
  return (
    <>
      <PageHeader title={t("title")} />
      <AboutContent />
    </>
  );
}
