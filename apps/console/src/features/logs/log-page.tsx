import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { curlExample, exampleModel, KEY_VARIABLE } from "../../lib/values/call-example.ts";
import { formatTime } from "../../lib/format.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { laterPart } from "../../lib/loading/later-part.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { LogFilterBar, LogViews } from "./filters/log-filter-bar.tsx";
import classes from "./log-columns.module.css";
import { useLogColumns } from "./log-columns.tsx";
import { useLogs, useReloadLogs } from "./log-queries.ts";
import type { LogFilters } from "./log-search.ts";
import { ExportButton, LiveButton, WaitingLogs } from "./log-tools.tsx";
import { LogStat } from "./log-stat.tsx";
import { LogSheet } from "./sheet/log-sheet.tsx";
import { LogStoreNotice } from "./store/log-store-notice.tsx";
import { type LiveLogs, useLiveLogs } from "./use-live-logs.ts";
import { type LogFilterState, useLogFilters } from "./use-log-filters.ts";
import { useOpenRow } from "../../lib/list/use-open-row.ts";

const LogHistogram = laterPart(() => import("./histogram/log-histogram.tsx"));

/** Stands where nothing was ever logged: shows how to make the first entry. */
function NoLogsYet() {
  const { t } = useTranslation("logs");
  const example = {
    address: `${useServerAddress()}/v1`,
    model: exampleModel([]),
    prompt: t("empty.prompt"),
    key: `$${KEY_VARIABLE}`,
  };
  return (
    <EmptyState
      title={t("empty.title")}
      text={t("empty.text")}
      example={<CodeBlock code={curlExample(example)} />}
      action={
        <ButtonLink to="/token" variant="default">
          {t("empty.action")}
        </ButtonLink>
      }
    />
  );
}

function Summary({ filter }: { filter: LogFilterState }) {
  return (
    <div className={classes.summary}>
      <LogStat filters={filter.filters} />
      <LogHistogram timesWanted={1} instead={<div className={classes.histogram} />} props={{ filter }} />
    </div>
  );
}

/** True where entries are searched by a name, of which a part finds none. */
function hasNameFilter({ token_name: token, model_name: model, username }: LogFilters): boolean {
  return [token, model, username].some((name) => name !== undefined);
}

interface LogToolsProps {
  live: LiveLogs;
  filters: LogFilters;
  isRefreshing: boolean;
}

function LogTools({ live, filters, isRefreshing }: LogToolsProps) {
  const reload = useReloadLogs();
  return (
    <>
      <LiveButton live={live} />
      <ExportButton filters={filters} />
      <RefreshButton isRefreshing={isRefreshing} onRefresh={reload} />
    </>
  );
}

export default function LogPage() {
  const { t } = useTranslation("logs", "common");
  const search = useListSearch();
  const filter = useLogFilters();
  const list = useLogs(filter.filters, search);
  const { openId, openRow: openLog } = useOpenRow();
  const columns = useLogColumns(openLog, filter.filters.type);
  const asCards = useCardScreen();
  const live = useLiveLogs(list, filter.filters, search);
  const tools = <LogTools live={live} filters={filter.filters} isRefreshing={list.isRefreshing} />;
  return (
    <>
      <PageHeader
        title={t("logs:title")}
        description={t("logs:description")}
        {...(asCards ? {} : { secondaryActions: tools })}
      />
      <LogStoreNotice />
      <Summary filter={filter} />
      <WaitingLogs live={live} />
      <div className={classes.list} onPointerEnter={() => live.hold(true)} onPointerLeave={() => live.hold(false)}>
        <DataList
          id="logs"
          label={t("logs:title")}
          list={live.list}
          search={search}
          columns={columns}
          rowKey={(log) => log.id}
          rowName={(log) => `${formatTime(log.created_at)} ${log.model_name}`}
          filters={<LogFilterBar filter={filter} rows={live.list.rows} />}
          filterCount={filter.count}
          views={<LogViews filter={filter} />}
          {...(asCards ? { tools } : {})}
          onOpenRow={(log) => openLog(log.id)}
          isFiltered={filter.count > 0}
          onClearFilters={filter.clear}
          {...(hasNameFilter(filter.filters) ? { noMatchHint: t("logs:filters.wholeNames") } : {})}
          empty={<NoLogsYet />}
        />
      </div>
      <LogSheet openId={openId} list={live.list} />
    </>
  );
}
