import type { ReactNode } from "react";
import { ScrollBox } from "../boxes/scroll-box.tsx";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./failed-list.module.css";

const LISTED = 200;

export interface FailedRow {
  readonly id: number;
  readonly name: ReactNode;
  readonly error: Error;
}

function Failed({ row: { name, error } }: { row: FailedRow }) {
  const reason = useErrorText(error);
  return (
    <li>
      {name}
      <span className={classes.reason}>{reason}</span>
    </li>
  );
}

export function FailedList({ label, rows }: { label: string; rows: readonly FailedRow[] }) {
  const { t } = useTranslation("bulk");
  if (rows.length === 0) return null;
  return (
    <ScrollBox label={label} className={classes.window}>
      <ul className={classes.failed} aria-label={label}>
        {rows.slice(0, LISTED).map((row) => (
          <Failed key={row.id} row={row} />
        ))}
        {rows.length > LISTED && <li>{t("report.more", { count: rows.length - LISTED })}</li>}
      </ul>
    </ScrollBox>
  );
}
