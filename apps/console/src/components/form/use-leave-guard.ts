import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useConfirm } from "../confirm-context.ts";

/**
 * Asks before unsaved changes are left behind, by a link as well as by closing the tab.
 * Returns what lets the next leaving pass, for after a save.
 */
export function useLeaveGuard(isDirty: () => boolean): () => void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const mayLeave = useRef(false);
  useEffect(() => {
    // A form that stays on the screen after its save is guarded again.
    if (!isDirty()) mayLeave.current = false;
  });
  const isUnsaved = () => !mayLeave.current && isDirty();
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
  return () => {
    mayLeave.current = true;
  };
}
