import { LOG_TYPE } from "@one-api/contract/logs/log";
import { type ReactNode, useMemo } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { useServerAddress } from "../../lib/state/stored-status.ts";
import { curlExample, exampleModel, KEY_VARIABLE } from "../../lib/values/call-example.ts";
import { LogFilterBar, LogViews } from "./filters/log-filter-bar.tsx";
import classes from "./log-columns.module.css";
import { useLogColumns } from "./log-columns.tsx";
import type { LogFilters } from "./log-search.ts";
import { sameColumns } from "./same-columns.ts";
import type { LiveLogs } from "./use-live-logs.ts";
import type { LogFilterState } from "./use-log-filters.ts";

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

/** True where entries are searched by a name, of which a part finds none. */
function hasNameFilter({ token_name: token, model_name: model, username }: LogFilters): boolean {
  return [token, model, username].some((name) => name !== undefined);
}

interface LogEntriesProps {
  filter: LogFilterState;
  live: LiveLogs;
  /** Before the filters, on the same line. */
  lead: ReactNode;
  hasRail: boolean;
  openId: number | undefined;
  onOpen(id: number): void;
}

/** The list of entries. Columns that the filters make the same in every row are hidden, and a line names them. */
export function LogEntries({ filter, live, lead, hasRail, openId, onOpen }: LogEntriesProps) {
  const { t } = useTranslation("logs");
  const search = useListSearch();
  const asCards = useCardScreen();
  const [type, ...others] = filter.filters.type ?? [];
  const columns = useLogColumns(onOpen, type === undefined || others.length > 0 ? 0 : type);
  const same = sameColumns(filter.filters);
  const hasTypes = live.list.rows.some(({ type: ofRow }) => ofRow !== LOG_TYPE.consumption);
  const hidden = asCards ? [] : columns.filter(({ id }) => same.includes(id)).map(({ header }) => header);
  // Another page leaves them as they are.
  const filterBar = useMemo(() => <LogFilterBar filter={filter} hasRail={hasRail} />, [filter, hasRail]);
  const views = useMemo(() => <LogViews filter={filter} />, [filter]);
  const note = hidden.length > 0 && (
    <span className={classes.hidden}>{t("columns.hidden", { names: hidden.join(", ") })}</span>
  );
  return (
    <div className={classes.list} onPointerEnter={() => live.hold(true)} onPointerLeave={() => live.hold(false)}>
      <DataList
        id="logs"
        label={t("title")}
        list={live.list}
        search={search}
        columns={columns}
        hiddenColumns={asCards ? [] : [...same, ...(hasTypes ? [] : ["type"])]}
        rowKey={(log) => log.id}
        rowName={(log) => `${formatTime(log.created_at)} ${log.model_name}`}
        filters={
          <>
            {lead}
            {filterBar}
          </>
        }
        views={views}
        {...(asCards ? {} : { tools: note })}
        onOpenRow={(log) => onOpen(log.id)}
        openKey={openId}
        isFiltered={filter.count > 0}
        onClearFilters={filter.clear}
        {...(hasNameFilter(filter.filters) ? { noMatchHint: t("filters.wholeNames") } : {})}
        empty={<NoLogsYet />}
      />
    </div>
  );
}
