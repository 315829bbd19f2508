import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useConfirm } from "../dialogs/confirm.tsx";

/** Asks before the page is left while something on it is unsaved, by a link as well as by closing the tab. */
export function useLeaveQuestion(isUnsaved: () => boolean): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  useBlocker({
    enableBeforeUnload: isUnsaved,
    shouldBlockFn: async () => {
      if (!isUnsaved()) return false;
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
