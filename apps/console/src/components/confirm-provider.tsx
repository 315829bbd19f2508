import { lazy, Suspense, useCallback, useState, type ReactNode } from "react";
import { ConfirmContext, type Confirm, type Confirmation } from "./confirm-context.ts";

const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"));

interface Question {
  confirmation: Confirmation;
  answer(confirmed: boolean): void;
}

/** Holds the one confirmation dialog of the console. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>();
  const [opened, setOpened] = useState(false);
  const confirm = useCallback<Confirm>((confirmation) => {
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
      <Suspense fallback={null}>
        {question !== undefined && (
          <ConfirmDialog opened={opened} confirmation={question.confirmation} onAnswer={answer} />
        )}
      </Suspense>
    </ConfirmContext>
  );
}
