import { Button, Group, Popover, Text } from "@mantine/core";
import { useState, type ReactElement, type ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

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
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={280}
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        {children({ onClick: () => setOpened(!opened), "aria-haspopup": "dialog", "aria-expanded": opened })}
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={confirmLabel}>
        <Text size="sm">{message}</Text>
        <Group justify="flex-end" gap="xs" mt="sm">
          <Button size="xs" variant="default" onClick={() => setOpened(false)}>
            {t("cancel")}
          </Button>
          <Button
            size="xs"
            {...(tone === "danger" ? { color: "danger" } : {})}
            data-autofocus
            onClick={() => {
              setOpened(false);
              onConfirm();
            }}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
