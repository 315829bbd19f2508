import { IconTrash } from "@tabler/icons-react";
import { CardsView } from "../../../../components/data-table/cards-view.tsx";
import { TableView } from "../../../../components/data-table/table-view.tsx";
import { useCardScreen } from "../../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { AddLimitRow } from "./add-limit-row.tsx";
import classes from "./group-limits.module.css";
import { groupLimitsColumns } from "./group-limits-columns.tsx";
import { type GroupLimits, type LimitRow, limitRows, nameOfRow, withoutRow, withRow } from "./group-limits-model.ts";

interface GroupLimitsTableProps {
  limits: GroupLimits;
  onChange(limits: GroupLimits): void;
}

export function GroupLimitsTable({ limits, onChange }: GroupLimitsTableProps) {
  const { t } = useTranslation("settings", "limits");
  const rows = limitRows(limits);
  const View = useCardScreen() ? CardsView : TableView;
  const setRow = (row: LimitRow) => onChange(withRow(limits, row));
  const actionsOf = (row: LimitRow) => {
    const icon = <IconTrash size={16} />;
    return [{ id: "remove", label: t("ratios.remove"), icon, onSelect: () => onChange(withoutRow(limits, row)) }];
  };
  return (
    <>
      {rows.length === 0 && <p className={classes.empty}>{t("groupLimits.empty")}</p>}
      {rows.length > 0 && (
        <View
          label={t("fields.GroupLimits")}
          rows={rows}
          columns={groupLimitsColumns({ t, onRow: setRow })}
          rowKey={({ group, model }) => JSON.stringify([group, model])}
          rowName={nameOfRow}
          rowActions={actionsOf}
        />
      )}
      <AddLimitRow
        isKnown={(group, model) => rows.some((row) => row.group === group && row.model === model)}
        onAdd={(group, model) => setRow({ group, model, limits: {} })}
      />
    </>
  );
}
