import type { ReactNode } from "react";
import { Sparkline } from "./sparkline.tsx";
import classes from "./trend-cell.module.css";

interface TrendCellProps {
  /** Nothing is drawn without any. */
  values: readonly number[];
  label: string;
  tone?: "accent" | "danger";
  children: ReactNode;
}

/** A number of a row with its course. The room is there before the numbers, so that no column moves when they come. */
export function TrendCell({ values, children, ...look }: TrendCellProps) {
  return (
    <span className={classes.trend}>
      {values.length > 0 && <Sparkline values={values} {...look} />}
      <span className={values.length > 0 ? classes.count : undefined}>{children}</span>
    </span>
  );
}
