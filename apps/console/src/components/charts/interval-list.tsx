import type { ComponentProps } from "react";
import classes from "./interval-list.module.css";

/** The intervals of a chart over its plot, each a link or a button. */
export function IntervalList(props: ComponentProps<"ol">) {
  return <ol className={classes.list} {...props} />;
}
