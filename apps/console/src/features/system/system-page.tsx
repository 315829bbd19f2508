import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../lib/state/session.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { BalanceFacts, DatabaseFacts, LogStoreFacts, ProcessFacts } from "./system-facts.tsx";
import { systemQuery } from "./system-queries.ts";
import { Jobs, Outages, Servers } from "./system-tables.tsx";
import { SystemVerdict } from "./system-verdict.tsx";
import classes from "./system.module.css";

function SystemCards() {
  const { t } = useTranslation("system");
  const { data, error, isPending, refetch } = useQuery(systemQuery);
  const showLoading = useDelayed(isPending);
  if (isPending) return showLoading ? <LoadingPlaceholder /> : null;
  if (data === undefined) return <ListError error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <ErrorAlert className={classes.problem ?? ""} title={t("refreshFailed")} error={error} />
      <SystemVerdict state={data} />
      <div className={classes.cards}>
        {data.outages.length > 0 && <Outages outages={data.outages} />}
        <Servers servers={data.servers} />
        <div className={classes.columns}>
          <DatabaseFacts database={data.database} outages={data.outages} />
          <ProcessFacts process={data.process} />
          <LogStoreFacts store={data.log_store} />
          <BalanceFacts balances={data.balances} audit={data.audit} />
        </div>
        <Jobs jobs={data.jobs} at={data.at} />
      </div>
    </>
  );
}

export default function SystemPage() {
  const { t } = useTranslation("system");
  if (!useIsRoot()) {
    return (
      <MessagePage
        title={t("rootOnly.title")}
        text={t("rootOnly.text")}
        action={<ButtonLink to="/dashboard">{t("rootOnly.back")}</ButtonLink>}
      />
    );
  }
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <SystemCards />
    </>
  );
}
