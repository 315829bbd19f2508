import type { ReactNode } from "react";
import { usePageTitle } from "../lib/browser/use-page-title.ts";
import classes from "./page-header.module.css";

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  primaryAction?: ReactNode;
  secondaryActions?: ReactNode;
  subject?: string | undefined;
  back?: ReactNode;
  /** On phones the actions stand beside the title; a button with an icon shows that alone. */
  isDense?: boolean;
}

/** The head of a page; also names the browser's tab. */
export function PageHeader(props: PageHeaderProps) {
  const { title, subject, description, primaryAction, secondaryActions, back, isDense = false } = props;
  usePageTitle(subject === undefined ? title : `${subject} · ${title}`);
  return (
    <header className={classes.header} data-dense={isDense}>
      {back !== undefined && back !== false && <div className={classes.back}>{back}</div>}
      <div className={classes.texts}>
        <h1 className={classes.title} id="page-title" tabIndex={-1}>
          {title}
        </h1>
        {subject !== undefined && <p className={classes.description}>{subject}</p>}
        {description !== undefined && <p className={classes.description}>{description}</p>}
      </div>
      {(primaryAction !== undefined || secondaryActions !== undefined) && (
        <div className={classes.actions}>
          {secondaryActions}
          {primaryAction}
        </div>
      )}
    </header>
  );
}
