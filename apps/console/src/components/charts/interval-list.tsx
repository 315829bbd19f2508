import type { ComponentProps } from "react";
import classes from "./interval-list.module.css";

export function IntervalList(props: ComponentProps<"ol">) {
  return <ol className={classes.list} {...props} />;
}
