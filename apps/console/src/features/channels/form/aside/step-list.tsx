import { Loader } from "@mantine/core";
import { IconAlertCircle, IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./step-list.module.css";

type StepState = "todo" | "running" | "done" | "failed";

export interface StepOfTest {
  readonly name: string;
  readonly state: StepState;
  readonly title: string;
  readonly note?: ReactNode;
}

const ICONS = { todo: IconCircle, done: IconCircleCheckFilled, failed: IconAlertCircle } as const;

function StateIcon({ state }: { state: StepState }) {
  const { t } = useTranslation("channel-form");
  const label = t(`steps.states.${state}`);
  if (state === "running") return <Loader size={16} aria-label={label} role="img" />;
  const Icon = ICONS[state];
  return <Icon size={18} stroke={1.5} className={classes.icon ?? ""} aria-label={label} role="img" />;
}

/** A list of steps, each with its state and a note. */
export function StepList({ steps }: { steps: readonly StepOfTest[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ name, state, title, note }) => (
        <li key={name} className={classes.step} data-state={state}>
          <span className={classes.mark}>
            <StateIcon state={state} />
          </span>
          <span className={classes.texts}>
            <span className={classes.title}>{title}</span>
            {note !== undefined && <span className={classes.note}>{note}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
