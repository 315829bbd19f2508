import { IconCircleCheckFilled, IconCircleDashed } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { TextLink } from "../../components/text-link.tsx";
import classes from "./step-list.module.css";

/** One thing to do first. */
export interface Step {
  readonly id: "password" | "channel" | "test" | "token" | "call";
  readonly path: "/user/edit" | "/channel" | "/channel/add" | "/token" | "/token/add" | "/log";
  /** Undefined when nobody can tell. */
  readonly isDone: boolean | undefined;
}

function StepMark({ isDone }: { isDone: boolean | undefined }) {
  const { t } = useTranslation("home");
  return isDone === true ? (
    <IconCircleCheckFilled size={20} className={classes.done} role="img" aria-label={t("steps.done")} />
  ) : (
    <IconCircleDashed size={20} className={classes.open} aria-hidden />
  );
}

/** The first steps in order, each with where to do it. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation("home");
  return (
    <ol className={classes.list}>
      {steps.map(({ id, path, isDone }) => (
        <li key={id} className={classes.step}>
          <StepMark isDone={isDone} />
          <div>
            <TextLink to={path}>{t(`steps.${id}.title`)}</TextLink>
            <p className={classes.hint}>{t(`steps.${id}.hint`)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
