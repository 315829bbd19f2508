import { ActionIcon } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { lazy, memo, Suspense } from "react";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Answer } from "../chat/conversation.ts";
import type { Pane } from "../chat/playground-store.ts";
import type { PlaygroundActions } from "../use-playground.ts";
import { AnswerFacts } from "./answer-facts.tsx";
import { FailureNote } from "./failure-note.tsx";
import { ToolCalls } from "./tool-calls.tsx";
import classes from "./turn.module.css";

// The renderer and sanitiser are large, and not needed before the first answer.
const AnswerContent = lazy(() => import("./answer-content.tsx"));

interface AnswerTurnProps {
  pane: Pane;
  answer: Answer;
  isLast: boolean;
  actions: PlaygroundActions;
}

function Thoughts({ answer: { thoughts, text, state } }: { answer: Answer }) {
  const { t } = useTranslation("playground");
  if (thoughts === "") return null;
  return (
    <details className={classes.thoughts} open={state === "running" && text === ""}>
      <summary>{t("turn.thoughts")}</summary>
      <div>{thoughts}</div>
    </details>
  );
}

/** Announces the start and end of an answer to screen readers; its pieces would overlap. */
function Progress({ answer: { state, model } }: { answer: Answer }) {
  const { t } = useTranslation("playground");
  return (
    <span className="visually-hidden" role="status">
      {state === "running" ? t("turn.running", { model }) : state === "done" && t("turn.done", { model })}
    </span>
  );
}

export const AnswerTurn = memo(function AnswerTurn({ pane, answer, isLast, actions }: AnswerTurnProps) {
  const { t } = useTranslation("playground");
  const { id, model, state, text, calls } = answer;
  const isRunning = state === "running";
  const isWaiting = isRunning && text === "" && answer.thoughts === "" && calls.length === 0;
  return (
    <article className={classes.turn} aria-label={model} aria-busy={isRunning}>
      <div className={classes.head}>
        <span className={classes.who}>{model}</span>
        {!isRunning && (
          <span className={classes.actions}>
            <ActionIcon
              aria-label={t("turn.again")}
              data-tip={t("turn.again")}
              disabled={actions.isRunning || actions.askOf(pane) === undefined}
              onClick={() => actions.ask(pane, id)}
            >
              <IconRepeat size={16} />
            </ActionIcon>
            <CopyButton text={text} label={t("turn.copy")} />
          </span>
        )}
      </div>
      {isLast && <Progress answer={answer} />}
      {isWaiting && <span className={classes.waiting} aria-hidden="true" />}
      <Thoughts answer={answer} />
      {text !== "" && (
        <Suspense fallback={<div className={classes.question}>{text}</div>}>
          <AnswerContent text={text} />
        </Suspense>
      )}
      {calls.length > 0 && (
        <ToolCalls pane={pane} answer={answer} isOpen={isLast && state === "done"} actions={actions} />
      )}
      {state === "failed" && (
        <FailureNote
          answer={answer}
          onRetry={() => actions.ask(pane, id)}
          canRetry={isLast && actions.askOf(pane) !== undefined && !actions.isRunning}
        />
      )}
      {!isRunning && <AnswerFacts answer={answer} />}
    </article>
  );
});
