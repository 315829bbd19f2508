import type { ReactNode } from "react";
import classes from "./status-badge.module.css";

/** Meaning of a state for the viewer; the text says it too, colour never alone. */
export type StatusTone = "good" | "warning" | "danger" | "info" | "neutral";

interface StatusBadgeProps {
  tone: StatusTone;
  children: ReactNode;
  title?: string;
}

export function StatusBadge({ tone, children, title }: StatusBadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  );
}
