import { Button, Textarea } from "@mantine/core";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Answer, ToolCall } from "../chat/conversation.ts";
import { changeTurns, type Pane } from "../chat/playground-store.ts";
import type { PlaygroundActions } from "../use-playground.ts";
import classes from "./tool-calls.module.css";

interface ToolCallsProps {
  pane: Pane;
  answer: Answer;
  /** The tools' results are awaited and editable. */
  isOpen: boolean;
  actions: PlaygroundActions;
}

/** The arguments indented, where they are JSON. */
function tidy(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), undefined, 2);
  } catch {
    return input;
  }
}

function setResult(pane: Pane, answerId: string, place: number, result: string): void {
  const withResult = (call: ToolCall, index: number) => (index === place ? { ...call, result } : call);
  changeTurns(pane, (turns) =>
    turns.map((turn) =>
      turn.id === answerId && turn.role === "assistant" ? { ...turn, calls: turn.calls.map(withResult) } : turn,
    ),
  );
}

/** Tool calls of the model. Nothing runs them here: the user types their results. */
export function ToolCalls({ pane, answer: { id, calls, state }, isOpen, actions }: ToolCallsProps) {
  const { t } = useTranslation("playground");
  // Their ids come last, and not from every provider.
  const placed = calls.map((call, place) => ({ ...call, place }));
  return (
    <div className={classes.calls}>
      {placed.map(({ place, ...call }) => (
        <div key={place} className={classes.call}>
          <div className={classes.name}>{t("tool.calls", { name: call.name })}</div>
          <pre className={classes.input} role="group" aria-label={t("tool.calls", { name: call.name })} tabIndex={0}>
            {tidy(call.input)}
          </pre>
          {isOpen ? (
            <Textarea
              label={t("tool.result", { name: call.name })}
              placeholder={t("tool.placeholder")}
              autosize
              minRows={1}
              maxRows={10}
              value={call.result}
              onChange={(event) => setResult(pane, id, place, event.currentTarget.value)}
            />
          ) : (
            state === "done" && <pre className={classes.input}>{call.result}</pre>
          )}
        </div>
      ))}
      {isOpen && (
        <div>
          <Button size="compact-sm" disabled={actions.askOf(pane) === undefined} onClick={() => actions.ask(pane)}>
            {t("tool.send", { count: calls.length })}
          </Button>
        </div>
      )}
    </div>
  );
}
