import { Button, TextInput } from "@mantine/core";
import { AUDIT_KINDS } from "@one-api/contract/constants";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { Select } from "../../components/floating/select.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { TimeRangeButton } from "../logs/filters/time-range.tsx";
import { useOpenRow } from "../../lib/list/use-open-row.ts";
import { auditColumns } from "./audit-columns.tsx";
import { AUDIT_KEY, useAudit } from "./audit-queries.ts";
import { type AuditFilters, NO_FILTERS, readAuditFilters } from "./audit-search.ts";
import { AuditSeal } from "./audit-seal.tsx";
import { AuditSheet } from "./audit-sheet.tsx";
import classes from "./audit.module.css";
import { useActionText } from "./audit-words.tsx";

interface TextFilterProps {
  isWide?: boolean;
  label: string;
  value: string | undefined;
  onCommit(value: string | undefined): void;
}

/** A filter that is typed: it counts on Enter and when the field is left. */
function TextFilter({ isWide = false, label, value = "", onCommit }: TextFilterProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = () => {
    const typed = text.trim();
    if (typed !== value) onCommit(typed === "" ? undefined : typed);
  };
  return (
    <TextInput
      className={classes.filter}
      data-wide={isWide}
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}

interface AuditFilterFieldsProps {
  filters: AuditFilters;
  onChange(changed: AuditFilters): void;
}

function AuditFilterFields({ filters, onChange }: AuditFilterFieldsProps) {
  const { t } = useTranslation("audit");
  return (
    <>
      <TextFilter label={t("filters.actor")} value={filters.actor} onCommit={(actor) => onChange({ actor })} />
      <Select
        clearable
        className={classes.filter ?? ""}
        aria-label={t("filters.kind")}
        placeholder={t("filters.kind")}
        data={AUDIT_KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        value={filters.kind ?? null}
        onChange={(chosen) => onChange({ kind: AUDIT_KINDS.find((kind) => kind === chosen) })}
      />
      <TextFilter
        isWide
        label={t("filters.object")}
        value={filters.object}
        onCommit={(object) => onChange({ object })}
      />
    </>
  );
}

export default function AuditPage() {
  const { t } = useTranslation("audit", "common");
  const actionText = useActionText();
  const client = useQueryClient();
  const search = useListSearch();
  const filters = readAuditFilters(useSearch({ strict: false }));
  const list = useAudit(filters, search);
  const { openRow: openLog } = useOpenRow();
  const change = (changed: AuditFilters) => search.setFilters({ ...changed });
  const clear = () => change(NO_FILTERS);
  const count = Object.values(filters).filter((value) => value !== undefined).length;
  const refresh = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      loading={list.isRefreshing}
      onClick={() => void client.invalidateQueries({ queryKey: AUDIT_KEY })}
    >
      {t("common:refresh")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} secondaryActions={refresh} />
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
          filters={
            <>
              <AuditFilterFields filters={filters} onChange={change} />
              <TimeRangeButton filter={{ filters, count, change, clear }} />
            </>
          }
          isFiltered={count > 0}
          onClearFilters={clear}
          empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
        />
      </div>
      <AuditSheet onFilter={(only) => search.setFilters({ ...NO_FILTERS, ...only, open: undefined })} />
    </>
  );
}
