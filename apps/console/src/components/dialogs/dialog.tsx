import { Group, Modal, type ModalProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFocusReturn } from "./focus-return.ts";

interface DialogProps extends Pick<
  ModalProps,
  "size" | "zIndex" | "closeOnClickOutside" | "returnFocus" | "onExitTransitionEnd"
> {
  opened?: boolean;
  onClose(): void;
  title: string;
  closeLabel?: string;
  children: ReactNode;
}

export function Dialog({ opened = true, closeLabel, children, ...modal }: DialogProps) {
  const { t } = useTranslation();
  useFocusReturn();
  return (
    <Modal
      opened={opened}
      {...modal}
      attributes={{ header: { "data-over-toasts": true } }}
      closeButtonProps={{ "aria-label": closeLabel ?? t("close") }}
    >
      {children}
    </Modal>
  );
}

export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs" mt="lg" data-over-toasts>
      {children}
    </Group>
  );
}
