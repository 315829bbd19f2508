import { Button } from "@mantine/core";
import { AUDIT_KINDS } from "@one-api/contract/constants";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { DataList } from "../../components/data-table/data-list.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { Select } from "../../components/floating/select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { ExportButton } from "../logs/export-button.tsx";
import { TimeRangeButton } from "../logs/filters/time-range.tsx";
import { useOpenRow } from "../../lib/list/use-open-row.ts";
import { auditColumns } from "./audit-columns.tsx";
import { AUDIT_KEY, useAudit } from "./audit-queries.ts";
import { auditExportAddress } from "./audit-tools-queries.ts";
import { type AuditFilters, NO_FILTERS, readAuditFilters } from "./audit-search.ts";
import { AuditSeal } from "./audit-seal.tsx";
import { AuditSheet } from "./audit-sheet.tsx";
import classes from "./audit.module.css";
import { ObjectFilter } from "./object-filter.tsx";
import { useActionText } from "./audit-words.tsx";

interface AuditFilterFieldsProps {
  filters: AuditFilters;
  onChange(changed: AuditFilters): void;
}

function AuditFilterFields({ filters, onChange }: AuditFilterFieldsProps) {
  const { t } = useTranslation("audit");
  return (
    <>
      <Select
        clearable
        className={classes.filter ?? ""}
        aria-label={t("filters.kind")}
        placeholder={t("filters.kind")}
        data={AUDIT_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        value={filters.kind ?? null}
        onChange={(chosen) => onChange({ kind: AUDIT_KINDS.find((kind) => kind === chosen) })}
      />
      <ObjectFilter object={filters.object} onChange={(object) => onChange({ object })} />
      {filters.actor !== undefined && (
        <Button
          variant="light"
          rightSection={<IconX size={14} />}
          aria-label={t("filters.removeActor", { name: filters.actor })}
          onClick={() => onChange({ actor: undefined })}
        >
          {t("filters.byActor", { name: filters.actor })}
        </Button>
      )}
    </>
  );
}

interface AuditToolsProps {
  filters: AuditFilters;
  keyword: string;
  isRefreshing: boolean;
}

function AuditTools({ filters, keyword, isRefreshing }: AuditToolsProps) {
  const client = useQueryClient();
  return (
    <>
      <ExportButton addressOf={(format) => auditExportAddress(filters, keyword, format)} />
      <RefreshButton
        isRefreshing={isRefreshing}
        onRefresh={() => void client.invalidateQueries({ queryKey: AUDIT_KEY })}
      />
    </>
  );
}

export default function AuditPage() {
  const { t } = useTranslation("audit");
  const actionText = useActionText();
  const search = useListSearch();
  const filters = readAuditFilters(useSearch({ strict: false }));
  const list = useAudit(filters, search);
  const { openRow: openLog } = useOpenRow();
  const change = (changed: AuditFilters) => search.setFilters({ ...changed });
  const clear = () => change(NO_FILTERS);
  const fieldCount = [filters.kind, filters.object, filters.actor].filter((value) => value !== undefined).length;
  const count = Object.values(filters).filter((value) => value !== undefined).length;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        secondaryActions={<AuditTools filters={filters} keyword={search.keyword} isRefreshing={list.isRefreshing} />}
        isDense
      />
      <AuditSeal />
      <div className={classes.list}>
        <DataList
          id="audit"
          label={t("title")}
          list={list}
          search={search}
          columns={auditColumns(t, openLog)}
          rowKey={(entry) => entry.id}
          rowName={(entry) => `${formatTime(entry.created_at)} ${actionText(entry.action)}`}
          onOpenRow={(entry) => openLog(entry.id)}
          searchPlaceholder={t("search")}
          filters={<AuditFilterFields filters={filters} onChange={change} />}
          filterCount={fieldCount}
          views={<TimeRangeButton filter={{ filters, count, change, clear }} />}
          isFiltered={count > 0}
          onClearFilters={clear}
          empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
        />
      </div>
      <AuditSheet
        onFilter={(only) => search.setFilters({ ...NO_FILTERS, ...only, keyword: undefined, open: undefined })}
      />
    </>
  );
}
