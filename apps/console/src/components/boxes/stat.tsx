import type { ReactNode } from "react";
import classes from "./stat.module.css";

interface StatsProps {
  action?: ReactNode;
  children: ReactNode;
}

/** Labelled numbers side by side. Screen readers announce changes. */
export function Stats({ action, children }: StatsProps) {
  return (
    <div className={classes.stats}>
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
  children: ReactNode;
}

export function Stat({ label, note, children }: StatProps) {
  return (
    <div className={classes.stat}>
      <dt>{label}</dt>
      <dd className="numbers">{children}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}
