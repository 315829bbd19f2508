import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { lazyPart } from "../../lib/loading/later-part.ts";
import type { Confirmation } from "./confirmation.ts";
import { focusedControl, focusPlace } from "./focus-return.ts";

type Confirm = (confirmation: Confirmation) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

/** Returns a function that asks for a confirmation in a dialog: `if (await confirm({...})) …`. */
export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}

const ConfirmDialog = lazyPart(() => import("./confirm-dialog.tsx"));

interface Question {
  confirmation: Confirmation;
  answer(confirmed: boolean): void;
}

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
