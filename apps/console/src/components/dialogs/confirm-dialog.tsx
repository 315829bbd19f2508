import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Confirmation } from "./confirmation.ts";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  opened: boolean;
  confirmation: Confirmation;
  onAnswer(confirmed: boolean): void;
  onClosed(): void;
}

export default function ConfirmDialog({ opened, confirmation, onAnswer, onClosed }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const { title, message, details, confirmLabel, tone = "normal", typedText } = confirmation;
  const answer = (confirmed: boolean) => {
    setTyped("");
    onAnswer(confirmed);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={() => answer(false)}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      title={title}
      submitLabel={confirmLabel}
      tone={tone}
      canSubmit={typedText === undefined || typed === typedText}
      startsAtSubmit={typedText === undefined}
      onSubmit={() => answer(true)}
    >
      <Text size="md">{message}</Text>
      {details}
      {typedText !== undefined && (
        <TextInput
          mt="md"
          label={t("typeToConfirm", { text: typedText })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
