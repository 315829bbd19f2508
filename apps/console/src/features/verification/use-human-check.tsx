import { type ReactNode, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastWarning } from "../../lib/toasts/toasts.ts";
import { HumanCheck } from "./human-check.tsx";

interface HumanCheckState {
  /** The widget; nothing while the check is off. */
  widget: ReactNode;
  /** Returns the answer and requests the next one; undefined, with a warning, if it is missing. */
  take(): string | undefined;
}

/** The human check of a form, where the system asks for it. */
export function useHumanCheck(action: string): HumanCheckState {
  const { t } = useTranslation("registration");
  const { turnstile_check: isOn } = useStoredStatus();
  const [token, setToken] = useState("");
  // Each answer works once: the next round has a widget of its own.
  const [round, setRound] = useState(0);
  if (!isOn) return { widget: null, take: () => "" };
  return {
    widget: <HumanCheck key={round} action={action} onAnswer={setToken} />,
    take: () => {
      if (token === "") {
        toastWarning(t("humanCheckPending"));
        return undefined;
      }
      setToken("");
      setRound(round + 1);
      return token;
    },
  };
}
