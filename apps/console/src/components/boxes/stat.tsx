import type { ReactNode } from "react";
import classes from "./stat.module.css";

interface StatsProps {
  action?: ReactNode;
  /** Over the full width, in equal columns. */
  isSpread?: boolean;
  children: ReactNode;
}

/** Labelled numbers side by side. Screen readers announce changes. */
export function Stats({ action, isSpread = false, children }: StatsProps) {
  return (
    <div className={classes.stats} data-spread={isSpread}>
      <dl className={classes.list} aria-live="polite">
        {children}
      </dl>
      {action}
    </div>
  );
}

interface StatProps {
  label: string;
  note?: ReactNode;
  trend?: ReactNode;
  children: ReactNode;
}

export function Stat({ label, note, trend, children }: StatProps) {
  return (
    <div className={classes.stat}>
      <dt>{label}</dt>
      <dd className="numbers">{children}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
      {trend !== undefined && <dd className={classes.trend}>{trend}</dd>}
    </div>
  );
}
