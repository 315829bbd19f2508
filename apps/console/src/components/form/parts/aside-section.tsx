import { type ReactNode, useId } from "react";
import classes from "./aside-section.module.css";

/** A titled section beside a form. */
export function AsideSection({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <h2 className={classes.title} id={titleId}>
        {title}
      </h2>
      {children}
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </section>
  );
}
