import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ColumnPicker } from "../../components/data-table/column-picker.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { useHiddenColumns } from "../../components/data-table/use-hidden-columns.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { formatTime } from "../../lib/format.ts";
import { useListSearch } from "../../lib/use-list-search.ts";
import { useCardScreen } from "../../lib/use-narrow-screen.ts";
import { useLogs } from "./api/use-logs.ts";
import { LogFilterBar } from "./filters/log-filter-bar.tsx";
import classes from "./log-columns.module.css";
import { LogStat } from "./log-stat.tsx";
import { NoLogsYet } from "./no-logs-yet.tsx";
import { LogSheet } from "./sheet/log-sheet.tsx";
import { useLogColumns } from "./use-log-columns.tsx";
import { useLogFilters } from "./use-log-filters.ts";
import { useOpenLog } from "./use-open-log.ts";

/** Logs: what was called, what it cost and how it went. */
export default function LogPage() {
  const { t } = useTranslation(["logs", "common"]);
  const client = useQueryClient();
  const search = useListSearch();
  const filter = useLogFilters();
  const list = useLogs(filter.filters, search.page);
  const { openId, openLog } = useOpenLog();
  const columns = useLogColumns(openLog);
  const [hidden, setHidden] = useHiddenColumns("logs");
  const asCards = useCardScreen();
  const refresh = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={list.isRefreshing}
      onClick={() => void client.invalidateQueries({ queryKey: ["logs"] })}
    >
      {t("common:refresh")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("logs:title")}
        description={t("logs:description")}
        {...(asCards ? {} : { secondaryActions: refresh })}
      />
      <LogStat filters={filter.filters} />
      <div className={classes.list}>
        <DataList
          label={t("logs:title")}
          list={list}
          search={search}
          columns={columns}
          hiddenColumns={hidden}
          rowKey={(log) => log.id}
          rowName={(log) => `${formatTime(log.created_at)} ${log.model_name}`}
          filters={<LogFilterBar filter={filter} rows={list.rows} />}
          tools={
            asCards ? (
              refresh
            ) : (
              <ColumnPicker columns={columns.filter(({ id }) => id !== "time")} hidden={hidden} onChange={setHidden} />
            )
          }
          onOpenRow={(log) => openLog(log.id)}
          isFiltered={filter.count > 0}
          onClearFilters={filter.clear}
          empty={<NoLogsYet />}
        />
      </div>
      <LogSheet openId={openId} list={list} />
    </>
  );
}
