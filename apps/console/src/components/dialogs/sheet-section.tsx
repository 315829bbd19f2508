import type { ReactNode } from "react";
import classes from "./sheet.module.css";

interface SheetSectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a sheet with a heading of its own, under a line. */
export function SheetSection({ title, actions, children }: SheetSectionProps) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <h3>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}
