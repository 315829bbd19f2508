import { ActionIcon, Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";

interface ToolButtonProps {
  label: string;
  icon: ReactNode;
  onClick(): void;
}

/** What is done with a list, beside its search: on narrow screens the icon alone, so that both share a line. */
export function ToolButton({ label, icon, onClick }: ToolButtonProps) {
  if (!useCardScreen())
    return (
      <Button variant="default" leftSection={icon} onClick={onClick}>
        {label}
      </Button>
    );
  return (
    <ActionIcon variant="default" size={32} aria-label={label} data-tip={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
