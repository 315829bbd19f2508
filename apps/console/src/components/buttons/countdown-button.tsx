import { Button, type ButtonProps } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

interface CountdownButtonProps extends Pick<ButtonProps, "className" | "variant" | "fullWidth" | "loading"> {
  type?: "submit";
  /** Seconds until it can be pressed again; 0 when it can. */
  left: number;
  onClick?: () => void;
  children: ReactNode;
}

/** A button that is disabled for a while after a press. It keeps the focus. */
export function CountdownButton({ left, onClick, children, ...button }: CountdownButtonProps) {
  const { t } = useTranslation("registration");
  const isResting = left > 0;
  const press = (event: MouseEvent) => {
    if (isResting) event.preventDefault();
    else onClick?.();
  };
  return (
    <Button {...button} {...(isResting ? { "data-disabled": true } : {})} aria-disabled={isResting} onClick={press}>
      {isResting ? t("countdown", { seconds: left }) : children}
    </Button>
  );
}
