import type { ReactNode } from "react";
import { usePageTitle } from "../lib/browser/use-page-title.ts";
import classes from "./message-page.module.css";

interface MessagePageProps {
  mark?: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

export function MessagePage({ mark, title, text, action }: MessagePageProps) {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      {mark !== undefined && <div className={classes.mark}>{mark}</div>}
      <h1 className={classes.title} id="page-title" tabIndex={-1}>
        {title}
      </h1>
      {text !== undefined && <p className={classes.text}>{text}</p>}
      {action}
    </div>
  );
}
