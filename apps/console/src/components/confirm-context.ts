import { createContext, useContext } from "react";

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

/** Asks; resolves to true when the user confirms. */
export type Confirm = (confirmation: Confirmation) => Promise<boolean>;

export const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Returns what asks for a confirmation in a dialog: `if (await confirm({...})) …`. */
export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}
