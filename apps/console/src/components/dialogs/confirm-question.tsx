import { Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

interface ConfirmQuestionProps {
  message: ReactNode;
  confirmLabel: string;
  /** Undefined if there is nothing to confirm, or it is unknown: the question can only be closed. */
  onConfirm: (() => void) | undefined;
  close(): void;
}

export function ConfirmQuestion({ message, confirmLabel, onConfirm, close }: ConfirmQuestionProps) {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm">{message}</Text>
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={close}>
          {t(onConfirm === undefined ? "close" : "cancel")}
        </Button>
        {onConfirm !== undefined && (
          <Button
            size="xs"
            color="danger"
            data-autofocus
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {confirmLabel}
          </Button>
        )}
      </Group>
    </>
  );
}
