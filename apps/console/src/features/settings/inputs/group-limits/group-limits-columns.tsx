import { LIMITS } from "@one-api/contract/limits/limit-constants";
import type { DataColumn } from "../../../../components/data-table/data-column.ts";
import type { Translate } from "../../../../lib/i18n/text-keys.ts";
import classes from "./group-limits.module.css";
import { type LimitRow, nameOfRow, withLimit } from "./group-limits-model.ts";
import { LimitCell } from "./limit-cell.tsx";

interface ColumnParts {
  t: Translate<"settings" | "limits">;
  onRow(row: LimitRow): void;
}

function RowName({ row: { group, model } }: { row: LimitRow }) {
  return (
    <span className={classes.name}>
      {group}
      {model !== "" && <span className={classes.model}>{model}</span>}
    </span>
  );
}

function limitCell({ field, unit }: (typeof LIMITS)[number], { t, onRow }: ColumnParts) {
  return function LimitOfRow(row: LimitRow) {
    return (
      <LimitCell
        label={t("ratios.of", { what: t(`limits:unit.${field}`), name: nameOfRow(row) })}
        value={row.limits[field]}
        unit={unit}
        onChange={(limit) => onRow(withLimit(row, field, limit))}
      />
    );
  };
}

export function groupLimitsColumns(parts: ColumnParts): DataColumn<LimitRow>[] {
  const { t } = parts;
  return [
    { id: "group", header: t("groupLimits.group"), card: "title", cell: (row) => <RowName row={row} /> },
    ...LIMITS.map((limit) => ({
      id: limit.field,
      header: t(`limits:unit.${limit.field}`),
      cell: limitCell(limit, parts),
    })),
  ];
}
