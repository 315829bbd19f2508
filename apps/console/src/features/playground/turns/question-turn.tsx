import { ActionIcon, Button, Group, Textarea } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useState } from "react";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Question } from "../chat/conversation.ts";
import type { PlaygroundActions } from "../use-playground.ts";
import classes from "./turn.module.css";

function Pictures({ question: { images } }: { question: Question }) {
  const { t } = useTranslation("playground");
  if (images.length === 0) return null;
  return (
    <div className={classes.pictures}>
      {images.map(({ id, name, dataUrl }) =>
        dataUrl === "" ? (
          // A picture that is not stored has at most a name.
          <span key={id} className={classes.lost}>
            {t("image.notKept", { name })}
          </span>
        ) : (
          <img key={id} src={dataUrl} alt={name} />
        ),
      )}
    </div>
  );
}

interface EditQuestionProps {
  question: Question;
  actions: PlaygroundActions;
  onClose(): void;
}

function EditQuestion({ question, actions, onClose }: EditQuestionProps) {
  const { t } = useTranslation("playground", "common");
  const [text, setText] = useState(question.text);
  const send = () => {
    onClose();
    actions.edit(question, text.trim());
  };
  const isEmpty = text.trim() === "" && question.images.length === 0;
  return (
    <div className={classes.edit}>
      <Textarea
        aria-label={t("turn.edit")}
        autosize
        minRows={2}
        maxRows={16}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t("common:cancel")}
        </Button>
        <Button disabled={isEmpty || !actions.isReady || actions.isRunning} onClick={send}>
          {t("turn.resend")}
        </Button>
      </Group>
    </div>
  );
}

export function QuestionTurn({ question, actions }: { question: Question; actions: PlaygroundActions }) {
  const { t } = useTranslation("playground");
  const [isEdited, setEdited] = useState(false);
  return (
    <article className={classes.turn} aria-label={t("turn.you")}>
      <div className={classes.head}>
        <span className={classes.who}>{t("turn.you")}</span>
        {!isEdited && (
          <span className={classes.actions}>
            <ActionIcon
              data-tip={t("turn.edit")}
              aria-label={t("turn.edit")}
              disabled={actions.isRunning}
              onClick={() => setEdited(true)}
            >
              <IconPencil size={16} />
            </ActionIcon>
            <CopyButton text={question.text} label={t("turn.copy")} />
          </span>
        )}
      </div>
      <Pictures question={question} />
      {isEdited ? (
        <EditQuestion question={question} actions={actions} onClose={() => setEdited(false)} />
      ) : (
        question.text !== "" && <div className={classes.question}>{question.text}</div>
      )}
    </article>
  );
}
