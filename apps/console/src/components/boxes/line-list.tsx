import type { ReactNode } from "react";
import classes from "./line-list.module.css";

export function LineList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

interface LineProps {
  name: ReactNode;
  end: ReactNode;
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
