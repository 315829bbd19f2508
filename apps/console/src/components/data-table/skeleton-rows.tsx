import { useTranslation } from "react-i18next";
import classes from "./skeleton-rows.module.css";

const ROWS = 6;

/** Grey bars in the shape of rows; none of them, in the same height, with 0 columns. */
export function SkeletonRows({ columns }: { columns: number }) {
  const { t } = useTranslation();
  const bars = Math.min(columns, 6);
  return (
    <div className={classes.rows} role="status" aria-label={t("loading", { prompt: t("loadingPage") })}>
      {Array.from({ length: ROWS }, (_row, row) => (
        <div key={row} className={classes.row}>
          {Array.from({ length: bars }, (_bar, bar) => (
            <span key={bar} className={classes.bar} data-size={(row * 5 + bar * 3) % 4} />
          ))}
        </div>
      ))}
    </div>
  );
}
