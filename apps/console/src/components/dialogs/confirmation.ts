import type { ReactNode } from "react";

/** A question before an action that cannot be taken back. */
export interface Confirmation {
  title: string;
  message: string;
  /** Under the message: the counted effect of the action. */
  details?: ReactNode;
  /** The verb of the action, for example "Delete". */
  confirmLabel: string;
  tone?: "danger" | "normal";
  /** Text that must be typed first, for large irreversible actions. */
  typedText?: string;
}
