import { Button, Group, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { PopoverButton } from "../floating/popover-button.tsx";

interface ConfirmPopoverProps {
  message: ReactNode;
  confirmLabel: string;
  tone?: "danger" | "normal";
  onConfirm(): void;
  /** Renders the button that asks. */
  children(props: { onClick(): void; "aria-haspopup": "dialog"; "aria-expanded": boolean }): ReactElement;
}

/** A small question at the button itself, for page-wide actions such as "delete disabled". */
export function ConfirmPopover({ message, confirmLabel, tone = "danger", onConfirm, children }: ConfirmPopoverProps) {
  const { t } = useTranslation();
  return (
    <PopoverButton width={280} position="bottom-end" label={confirmLabel} isQuestion renderButton={children}>
      {(close) => (
        <>
          <Text size="sm">{message}</Text>
          <Group justify="flex-end" gap="xs" mt="sm">
            <Button size="xs" variant="default" onClick={close}>
              {t("cancel")}
            </Button>
            <Button
              size="xs"
              {...(tone === "danger" ? { color: "danger" } : {})}
              data-autofocus
              onClick={() => {
                close();
                onConfirm();
              }}
            >
              {confirmLabel}
            </Button>
          </Group>
        </>
      )}
    </PopoverButton>
  );
}
