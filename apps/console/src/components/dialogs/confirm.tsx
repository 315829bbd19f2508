import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { lazyPart } from "../../lib/later-part.ts";

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
type Confirm = (confirmation: Confirmation) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Returns what asks for a confirmation in a dialog: `if (await confirm({...})) …`. */
export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

interface Question {
  confirmation: Confirmation;
  answer(confirmed: boolean): void;
}

/** What had the focus, or for an entry of a menu, which is gone by the end, the button that opened the menu. */
function focusedControl(): HTMLElement | undefined {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  const control = menu ? document.getElementById(menu) : focused;
  return control instanceof HTMLElement ? control : undefined;
}

/** Where the focus goes when a question is answered: back, or when the row that asked is gone, to its list or the page. */
function focusPlace(opener: HTMLElement | undefined): HTMLElement | null | undefined {
  if (opener?.isConnected === true) return opener;
  return document.querySelector<HTMLElement>("[data-rows]") ?? document.getElementById("page-title");
}

/** Holds the one confirmation dialog of the console. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLElement>(undefined);
  const confirm = useCallback<Confirm>((confirmation) => {
    opener.current = focusedControl();
    return new Promise((answer) => {
      setQuestion({ confirmation, answer });
      setOpened(true);
    });
  }, []);
  const answer = (confirmed: boolean) => {
    question?.answer(confirmed);
    setOpened(false);
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      {question !== undefined && (
        <ConfirmDialog
          opened={opened}
          confirmation={question.confirmation}
          onAnswer={answer}
          onClosed={() => focusPlace(opener.current)?.focus({ preventScroll: true })}
        />
      )}
    </ConfirmContext>
  );
}
