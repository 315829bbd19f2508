import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useConfirm } from "../dialogs/confirm.tsx";

interface NextLocation {
  readonly pathname: string;
  readonly search: object;
}

/**
 * Asks before the page is left while something is unsaved, by a link or by closing the tab. `stays`: addresses that
 * still show the form.
 */
export function useLeaveQuestion(isUnsaved: () => boolean, stays: (next: NextLocation) => boolean = () => false): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  useBlocker({
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async ({ next }) => {
      if (!isUnsaved() || stays(next)) return false;
      const leave = await confirm({
        title: t("form.leaveTitle"),
        message: t("form.leaveMessage"),
        confirmLabel: t("form.leave"),
        tone: "danger",
      });
      return !leave;
    },
  });
}
