import { type ReactNode, useState } from "react";
import { ChoiceButtons } from "../../../../components/boxes/choice-buttons.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./tables.module.css";

type View = "json" | "table";

interface JsonOrTableProps {
  label: string;
  views: readonly [View, View];
  /** False for a text that the table cannot show. */
  fitsTable: boolean;
  table: ReactNode;
  json: ReactNode;
}

export function JsonOrTable({ label, views, fitsTable, table, json }: JsonOrTableProps) {
  const { t } = useTranslation("channel-form");
  const [view, setView] = useState<View>(fitsTable ? views[0] : "json");
  const show = (next: View) => {
    if (next === "json" || fitsTable) setView(next);
  };
  const names = { json: t("tables.json"), table: t("tables.table") };
  return (
    <div className={classes.field}>
      <div className={classes.views}>
        <ChoiceButtons
          label={t("tables.viewOf", { label })}
          choices={views.map((value) => ({ value, text: names[value] }))}
          value={view}
          onChange={show}
        />
      </div>
      {view === "json" ? json : table}
      {view === "json" && !fitsTable && <p className={classes.note}>{t("tables.fixFirst")}</p>}
    </div>
  );
}
