import type { ReactNode } from "react";
import classes from "./line-list.module.css";

/** A list of `Line`s with hairlines between them. */
export function LineList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

interface LineProps {
  /** On the left. */
  name: ReactNode;
  /** On the right: an amount, a time. */
  end: ReactNode;
  /** Below both, smaller. */
  children?: ReactNode;
}

export function Line({ name, end, children }: LineProps) {
  return (
    <li>
      <div className={classes.line}>
        <span className={classes.name}>{name}</span>
        <span className={classes.end}>{end}</span>
      </div>
      {children !== undefined && <div className={classes.more}>{children}</div>}
    </li>
  );
}

export function NoLines({ children }: { children: ReactNode }) {
  return <p className={classes.none}>{children}</p>;
}
