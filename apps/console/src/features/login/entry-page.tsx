import type { ReactNode } from "react";
import { withBasePath } from "../../lib/base-path.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { usePageTitle } from "../../lib/browser/use-page-title.ts";
import classes from "./entry-page.module.css";

interface EntryPageProps {
  title: string;
  heading: string;
  links?: ReactNode;
  children: ReactNode;
}

export function EntryPage({ title, heading, links, children }: EntryPageProps) {
  const { logo } = useStoredStatus();
  usePageTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <img className={classes.logo} src={withBasePath(logo)} width={40} height={40} alt="" />
        <h1 className={classes.title} id="page-title" tabIndex={-1}>
          {heading}
        </h1>
        {children}
        {links !== undefined && <p className={classes.links}>{links}</p>}
      </div>
    </div>
  );
}
