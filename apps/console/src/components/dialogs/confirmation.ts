import type { ReactNode } from "react";

/** A question before an action that cannot be taken back. */
export interface Confirmation {
  title: string;
  message: string;
  details?: ReactNode;
  confirmLabel: string;
  tone?: "danger" | "normal";
  /** Text that must be typed first, for large irreversible actions. */
  typedText?: string;
}
