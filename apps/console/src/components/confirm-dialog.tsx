import { Button, Group, Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Confirmation } from "./confirm.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  confirmation: Confirmation;
  onAnswer(confirmed: boolean): void;
  /** The dialog is gone from the screen: the place for the focus. */
  onClosed(): void;
}

/** The dialog behind useConfirm. */
export default function ConfirmDialog({ opened, confirmation, onAnswer, onClosed }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const { title, message, confirmLabel, tone = "normal", typedText } = confirmation;
  const answer = (confirmed: boolean) => {
    setTyped("");
    onAnswer(confirmed);
  };
  return (
    <Modal
      opened={opened}
      onClose={() => answer(false)}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={title}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer(true);
        }}
      >
        <Text size="md">{message}</Text>
        {typedText !== undefined && (
          <TextInput
            mt="md"
            label={t("typeToConfirm", { text: typedText })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={() => answer(false)}>
            {t("cancel")}
          </Button>
          <Button
            type="submit"
            {...(tone === "danger" ? { color: "danger" } : {})}
            disabled={typedText !== undefined && typed !== typedText}
            data-autofocus
          >
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
