import type { ReactNode } from "react";
import classes from "./facts.module.css";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** Over the full width where facts stand in columns. */
  readonly isWide?: boolean;
  readonly isNumber?: boolean;
  /** A third of the width where facts stand in columns: short numbers. */
  readonly isThird?: boolean;
}

interface FactsProps {
  /** False ones are left out, so that a condition can stand before a fact. */
  facts: readonly (Fact | false)[];
  /**
   * Default: two columns. `grid`: as many columns as fit. `row`: side by side, wide facts first. `lines`: one a line,
   * with its label on the left.
   */
  layout?: "columns" | "grid" | "row" | "lines";
}

export function Facts({ facts, layout = "columns" }: FactsProps) {
  return (
    <dl className={classes.facts} data-layout={layout}>
      {facts
        .filter((fact) => fact !== false)
        .map(({ label, value, isWide, isNumber, isThird }) => (
          <div key={label} data-wide={isWide} data-third={isThird}>
            <dt>{label}</dt>
            <dd className={isNumber === true ? "numbers" : undefined}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
