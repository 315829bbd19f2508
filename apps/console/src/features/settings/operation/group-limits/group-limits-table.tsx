import { LIMITS } from "@one-api/contract/limits/limit-constants";
import { IconTrash } from "@tabler/icons-react";
import { CardsView } from "../../../../components/data-table/cards-view.tsx";
import type { DataColumn } from "../../../../components/data-table/data-column.ts";
import { EmptyState } from "../../../../components/data-table/empty-state.tsx";
import { TableView } from "../../../../components/data-table/table-view.tsx";
import { useCardScreen } from "../../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { AddLimitRow } from "./add-limit-row.tsx";
import classes from "./group-limits.module.css";
import { type GroupLimits, type LimitRow, limitRows, withLimit, withoutRow, withRow } from "./group-limits-model.ts";
import { LimitCell } from "./limit-cell.tsx";

interface GroupLimitsTableProps {
  limits: GroupLimits;
  onChange(limits: GroupLimits): void;
}

/** Limits of groups, and of models of groups, in a row each. */
export function GroupLimitsTable({ limits, onChange }: GroupLimitsTableProps) {
  const { t } = useTranslation("settings", "limits", "common");
  const rows = limitRows(limits);
  const nameOf = ({ group, model }: LimitRow) => (model === "" ? group : `${group}, ${model}`);
  const View = useCardScreen() ? CardsView : TableView;
  const columns: DataColumn<LimitRow>[] = [
    {
      id: "group",
      header: t("groupLimits.group"),
      card: "title",
      cell: ({ group, model }) => (
        <span className={classes.name}>
          {group}
          {model !== "" && <span className={classes.model}>{model}</span>}
        </span>
      ),
    },
    ...LIMITS.map(({ field, unit }) => ({
      id: field,
      header: t(`limits:unit.${field}`),
      cell: (row: LimitRow) => (
        <LimitCell
          label={t("ratios.of", { what: t(`limits:unit.${field}`), name: nameOf(row) })}
          value={row.limits[field]}
          unit={unit}
          onChange={(limit) => onChange(withRow(limits, withLimit(row, field, limit)))}
        />
      ),
    })),
  ];
  return (
    <>
      <View
        label={t("fields.GroupLimits")}
        rows={rows}
        columns={columns}
        rowKey={({ group, model }) => JSON.stringify([group, model])}
        rowName={nameOf}
        rowActions={(row) => [
          {
            id: "remove",
            label: t("ratios.remove"),
            icon: <IconTrash size={16} />,
            onSelect: () => onChange(withoutRow(limits, row)),
          },
        ]}
        {...(rows.length === 0
          ? { placeholder: <EmptyState title={t("groupLimits.empty")} text={t("groupLimits.emptyText")} /> }
          : {})}
      />
      <AddLimitRow
        isKnown={(group, model) => rows.some((row) => row.group === group && row.model === model)}
        onAdd={(group, model) => onChange(withRow(limits, { group, model, limits: {} }))}
      />
    </>
  );
}
