import { useSearch } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useCardScreen, useWideScreen, useWidestScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { LogFacets } from "./filters/facets/log-facets.tsx";
import { LogHistogram } from "./histogram/log-histogram.tsx";
import { LogFilterBar, LogViews } from "./filters/log-filter-bar.tsx";
import { exportAddress, useLogs, useReloadLogs } from "./log-queries.ts";
import { type LogFilters, readLogSearch } from "./log-search.ts";
import classes from "./log-page.module.css";
import { ExportButton } from "./export-button.tsx";
import { LiveButton, WaitingLogs } from "./log-tools.tsx";
import { LogEntries } from "./log-entries.tsx";
import { LogStat } from "./log-stat.tsx";
import { LogSheet } from "./sheet/log-sheet.tsx";
import { LogStoreNotice } from "./store/log-store-notice.tsx";
import { type LiveLogs, useLiveLogs } from "./use-live-logs.ts";
import { type LogFilterState, useLogFilters } from "./use-log-filters.ts";
import { useOpenId, useOpenRow } from "../../lib/list/use-open-row.ts";

const LogErrorsList = lazyPart(() => import("./errors/log-errors.tsx"));

/** Stays as it is while the list beside it changes. */
const Summary = memo(function Summary({ filter }: { filter: LogFilterState }) {
  return (
    <LogHistogram filter={filter}>
      <LogStat filters={filter.filters} />
    </LogHistogram>
  );
});

const FacetRail = memo(function FacetRail({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("common");
  return (
    <aside className={classes.rail} aria-label={t("filters")}>
      <LogFacets filter={filter} isBeside />
    </aside>
  );
});

interface LogToolsProps {
  live: LiveLogs;
  filters: LogFilters;
  isRefreshing: boolean;
}

function LogTools({ live, filters, isRefreshing }: LogToolsProps) {
  const reload = useReloadLogs();
  const isAdmin = useIsAdmin();
  return (
    <>
      <LiveButton live={live} />
      <ExportButton addressOf={(format) => exportAddress(filters, isAdmin, format)} />
      <RefreshButton isRefreshing={isRefreshing} onRefresh={reload} />
    </>
  );
}

function ViewChoice({ total }: { total: number }) {
  const { t, language } = useTranslation("logs");
  const { setFilters } = useListSearch();
  const { view = "entries" } = readLogSearch(useSearch({ strict: false }));
  return (
    <ChoiceButtons
      label={t("errors.views")}
      choices={[
        { value: "entries", text: t("errors.entriesView", { total: formatInteger(total, language) }) },
        { value: "errors", text: t("errors.title") },
      ]}
      value={view}
      onChange={(chosen) => setFilters({ view: chosen === "errors" ? chosen : undefined })}
    />
  );
}

interface ErrorsViewProps {
  filter: LogFilterState;
  /** Before the filters, on the same line. */
  lead: ReactNode;
  hasRail: boolean;
  onOpen(id: number): void;
}

function ErrorsView({ filter, lead, hasRail, onOpen }: ErrorsViewProps) {
  return (
    <>
      <div className={classes.toolbar}>
        {lead}
        <LogFilterBar filter={filter} hasRail={hasRail} />
        <LogViews filter={filter} />
      </div>
      <LogErrorsList filters={filter.filters} onOpen={onOpen} />
    </>
  );
}

export default function LogPage() {
  const { t } = useTranslation("logs");
  const search = useListSearch();
  const filter = useLogFilters();
  const { view } = readLogSearch(useSearch({ strict: false }));
  const list = useLogs(filter.filters, search);
  const openId = useOpenId();
  const { openOrStep: open } = useOpenRow();
  const asCards = useCardScreen();
  const isWide = useWideScreen();
  const isWidest = useWidestScreen();
  const hasRail = isWide && (isWidest || openId === undefined);
  const live = useLiveLogs(list, filter.filters, search);
  const tools = <LogTools live={live} filters={filter.filters} isRefreshing={list.isRefreshing} />;
  const views = <ViewChoice total={live.list.total} />;
  const lead = asCards ? null : views;
  return (
    <div className={classes.page} data-beside={isWide && openId !== undefined}>
      <div className={classes.content}>
        <PageHeader title={t("title")} description={t("description")} secondaryActions={tools} isDense />
        <LogStoreNotice />
        <div className={classes.columns} data-rail={hasRail}>
          {hasRail && <FacetRail filter={filter} />}
          <div className={classes.main}>
            <Summary filter={filter} />
            <WaitingLogs live={live} />
            {asCards && <div className={classes.views}>{views}</div>}
            {view === "errors" ? (
              <ErrorsView {...{ filter, hasRail, lead }} onOpen={open} />
            ) : (
              <LogEntries {...{ filter, live, hasRail, openId, lead }} onOpen={open} />
            )}
          </div>
        </div>
      </div>
      <LogSheet openId={openId} list={live.list} isBeside={isWide} />
    </div>
  );
}
