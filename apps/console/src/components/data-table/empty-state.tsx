import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  example?: ReactNode;
}

export function EmptyState({ title, text, action, example }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <div className={classes.title}>{title}</div>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action}
      {example !== undefined && <div className={classes.example}>{example}</div>}
    </div>
  );
}
