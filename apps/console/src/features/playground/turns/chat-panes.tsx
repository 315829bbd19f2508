import { ActionIcon, Button } from "@mantine/core";
import { IconArrowDown, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ChoiceButtons } from "../../../components/boxes/choice-buttons.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { type Pane, turnsOf } from "../chat/playground-store.ts";
import { ModelSelect } from "../setup/model-select.tsx";
import { useSideScreen } from "../setup/use-side-screen.ts";
import { type Asking, type PlaygroundActions, useClosePane, usePlaygroundSearch } from "../use-playground.ts";
import { AnswerTurn } from "./answer-turn.tsx";
import classes from "./chat-panes.module.css";
import { EmptyPane } from "./empty-pane.tsx";
import { QuestionTurn } from "./question-turn.tsx";

/** So near to its end, in px, a conversation counts as read to the end. */
const NEAR_PX = 48;

/** Keeps the end in view while the answer grows, unless the user scrolled up. */
function useEndInSight() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const follows = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (follows.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
    });
    if (content.current !== null) observer.observe(content.current);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    if (scroller.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = scroller.current;
    follows.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    setAtEnd(follows.current);
  };
  return { scroller, content, isAtEnd, toEnd, onScroll };
}

interface ChatPaneProps {
  pane: Pane;
  name: string;
  actions: PlaygroundActions;
  hasHead: boolean;
  /** Chooses the model where the settings do not stand beside the chat. */
  choice: ReactNode;
  action?: ReactNode;
}

function ChatPane({ pane, name, actions, hasHead, choice, action }: ChatPaneProps) {
  const { t } = useTranslation("playground");
  const turns = turnsOf(pane).use();
  const { scroller, content, isAtEnd, toEnd, onScroll } = useEndInSight();
  const lastId = turns.at(-1)?.id;
  return (
    <section className={classes.pane} aria-label={name}>
      {hasHead && (
        <div className={classes.head}>
          <h2 className={choice === false ? classes.name : "visually-hidden"}>{name}</h2>
          {choice}
          {action}
        </div>
      )}
      <div
        ref={scroller}
        className={classes.scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="group"
        aria-label={t("conversation", { model: name })}
      >
        {turns.length === 0 && <EmptyPane hasExamples={pane === 0} />}
        <ol ref={content} className={classes.turns}>
          {turns.map((turn) => (
            <li key={turn.id}>
              {turn.role === "user" ? (
                <QuestionTurn question={turn} actions={actions} />
              ) : (
                <AnswerTurn pane={pane} answer={turn} isLast={turn.id === lastId} actions={actions} />
              )}
            </li>
          ))}
        </ol>
      </div>
      {!isAtEnd && (
        <Button
          className={classes.toEnd ?? ""}
          size="compact-xs"
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          onClick={toEnd}
        >
          {t("toEnd")}
        </Button>
      )}
    </section>
  );
}

/** Chooses the model of a pane in its head. */
function PaneModel({ pane, asking }: { pane: Pane; asking: Asking }) {
  const { t } = useTranslation("playground");
  const { change } = usePlaygroundSearch();
  return (
    <ModelSelect
      isBare
      models={asking.models}
      label={t(pane === 0 ? "setup.model" : "setup.versus")}
      value={asking.asked[pane]?.name}
      onChange={(model) => change(pane === 0 ? { model } : { versus: model })}
    />
  );
}

/** One conversation, or two side by side; on phones one at a time. */
export function ChatPanes({ asking, actions }: { asking: Asking; actions: PlaygroundActions }) {
  const { t } = useTranslation("playground");
  const isPhone = useCardScreen();
  const [front, setFront] = useState<Pane>(0);
  const close = useClosePane();
  const hasSide = useSideScreen();
  const names = asking.asked.map(({ name = "" }) => name);
  const isDouble = names.length > 1;
  const shown = actions.panes.filter((pane) => !isDouble || !isPhone || pane === front);
  return (
    <>
      {isDouble && isPhone && (
        <ChoiceButtons
          label={t("setup.model")}
          choices={actions.panes.map((pane) => ({ value: pane, text: names[pane] ?? "" }))}
          value={front}
          onChange={setFront}
        />
      )}
      <div className={classes.panes}>
        {shown.map((pane) => (
          <ChatPane
            key={pane}
            pane={pane}
            name={names[pane] ?? ""}
            actions={actions}
            hasHead={!isDouble || !isPhone}
            choice={!hasSide && <PaneModel pane={pane} asking={asking} />}
            action={
              isDouble && (
                <ActionIcon
                  aria-label={t("closePane", { model: names[pane] ?? "" })}
                  disabled={actions.isRunning}
                  onClick={() => close(pane)}
                >
                  <IconX size={16} />
                </ActionIcon>
              )
            }
          />
        ))}
      </div>
    </>
  );
}
