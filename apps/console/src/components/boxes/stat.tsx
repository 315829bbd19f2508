import type { ReactNode } from "react";
import classes from "./stat.module.css";

interface StatsProps {
  /** At the right end, such as a button that hides the numbers. */
  action?: ReactNode;
  /** `Stat`s. */
  children: ReactNode;
}

/** Labelled numbers side by side; a screen reader says what changes. */
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
  /** Under the number: what puts it into proportion. */
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
