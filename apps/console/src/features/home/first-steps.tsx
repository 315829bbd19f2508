import { IconChevronRight, IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../../components/boxes/card.tsx";
import type { FirstStep } from "./home-queries.ts";
import classes from "./first-steps.module.css";

export const PATH_OF_STEP = {
  password: "/user/edit",
  channel: "/channel/add",
  test: "/channel",
  quota: "/topup",
  token: "/token/add",
  call: "/playground",
} as const;

function Step({ step }: { step: FirstStep }) {
  const { t } = useTranslation("home");
  const StepIcon = step.isDone ? IconCircleCheckFilled : IconCircle;
  return (
    <li>
      <Link to={PATH_OF_STEP[step.name]} className={classes.step} data-done={step.isDone}>
        <StepIcon
          size={20}
          stroke={1.5}
          className={classes.icon}
          aria-label={t(step.isDone ? "steps.done" : "steps.open")}
          role="img"
        />
        <span className={classes.texts}>
          <span className={classes.title}>{t(`steps.${step.name}.title`)}</span>
          {!step.isDone && <span className={classes.hint}>{t(`steps.${step.name}.hint`)}</span>}
        </span>
        {!step.isDone && <IconChevronRight size={16} className={classes.arrow} aria-hidden="true" />}
      </Link>
    </li>
  );
}

export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const { t } = useTranslation("home");
  const done = steps.filter((step) => step.isDone).length;
  if (done === steps.length) return null;
  return (
    <Card
      title={t("steps.heading")}
      actions={<span className={classes.count}>{t("steps.count", { done, all: steps.length })}</span>}
    >
      <ol className={classes.list}>
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </Card>
  );
}
