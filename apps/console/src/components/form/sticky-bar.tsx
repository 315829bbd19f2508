import type { ComponentProps, ReactNode } from "react";
import classes from "./sticky-bar.module.css";

interface StickyBarProps extends ComponentProps<"div"> {
  /** Fields before the state. */
  lead?: ReactNode;
  /** Text between the fields and the buttons, which assistive software announces when it changes. */
  state: ReactNode;
  /** Buttons. */
  children: ReactNode;
}

/** Bar below a form, which stays in sight while the form scrolls. */
export function StickyBar({ lead, state, children, ...bar }: StickyBarProps) {
  return (
    <div className={classes.bar} role="presentation" data-over-toasts {...bar}>
      {lead}
      <span className={classes.state} role="status">
        {state}
      </span>
      {children}
    </div>
  );
}
