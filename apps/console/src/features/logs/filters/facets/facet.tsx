import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useIsIdle } from "../../../../lib/loading/when-idle.ts";
import { type ReactNode, useId, useState } from "react";
import classes from "./facets.module.css";

interface FacetProps {
  label: string;
  chosen: readonly string[] | undefined;
  /** Opens after the page has loaded; its space is reserved until then. */
  startsOpen?: boolean;
  /** Its counts load when it is opened. */
  children: ReactNode;
}

/** A filter that opens below its name. Closed, it shows the chosen values. */
export function Facet({ label, chosen, startsOpen = false, children }: FacetProps) {
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const isIdle = useIsIdle();
  const isOpen = chosenOpen ?? (startsOpen && isIdle);
  const isWaiting = chosenOpen === undefined && startsOpen && !isIdle;
  const id = useId();
  return (
    <section className={classes.facet} aria-label={label}>
      <UnstyledButton
        className={classes.head ?? ""}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosenOpen(!isOpen)}
      >
        <span className={classes.label}>{label}</span>{" "}
        {!isOpen && chosen !== undefined && <span className={classes.chosen}>{chosen.join(", ")}</span>}
        <IconChevronDown className={classes.chevron} size={14} aria-hidden="true" />
      </UnstyledButton>
      <div id={id} className={classes.body} hidden={!isOpen && !isWaiting}>
        {isWaiting && <div className={classes.place} />}
        {isOpen && children}
      </div>
    </section>
  );
}
