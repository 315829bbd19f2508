import type { ReactNode } from "react";
import classes from "./sheet.module.css";

/** A part of a sheet with a heading of its own, under a line. */
export function SheetSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
