import type { ReactNode } from "react";

export interface Confirmation {
  title: string;
  message: string;
  details?: ReactNode;
  confirmLabel: string;
  tone?: "danger" | "normal";
  /** Text that must be typed first, for large irreversible actions. */
  typedText?: string;
}
