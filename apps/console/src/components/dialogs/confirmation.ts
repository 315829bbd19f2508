/** A question before an action that cannot be taken back. */
export interface Confirmation {
  title: string;
  /** What will happen, with names and numbers. */
  message: string;
  /** The verb of the action, for example "Delete". */
  confirmLabel: string;
  tone?: "danger" | "normal";
  /** Text that must be typed first; only for what is irreversible and large. */
  typedText?: string;
}
