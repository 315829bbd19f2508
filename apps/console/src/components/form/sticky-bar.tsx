import type { ComponentProps, ReactNode } from "react";
import { WholeDates } from "../content/whole-dates.tsx";
import classes from "./sticky-bar.module.css";

interface StickyBarProps extends ComponentProps<"div"> {
  /** Fields before the state. */
  lead?: ReactNode;
  /** Effect of the main button in one sentence. */
  outcome?: string | undefined;
  /** Text between the fields and the buttons, which assistive software announces when it changes. */
  state: ReactNode;
  /** Buttons. */
  children: ReactNode;
}

/** Bar below a form, which stays in sight while the form scrolls. */
export function StickyBar({ lead, outcome, state, children, ...bar }: StickyBarProps) {
  return (
    <div className={classes.bar} role="presentation" data-over-toasts {...bar}>
      {lead}
      {outcome !== undefined && (
        <p className={classes.outcome}>
          <WholeDates>{outcome}</WholeDates>
        </p>
      )}
      <span className={classes.state} role="status">
        {state}
      </span>
      {children}
    </div>
  );
}
