import type { UseFormReturnType } from "@mantine/form";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../lib/api-error.ts";
import { errorText } from "../../lib/error-text.ts";
import { watchUnsaved } from "../../lib/unsaved-work.ts";
import { useConfirm } from "../confirm.tsx";

/**
 * Asks before unsaved changes are left behind, by a link as well as by closing the tab.
 * Returns what lets the next leaving pass, for after a save.
 */
function useLeaveGuard(isDirty: () => boolean): () => void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const mayLeave = useRef(false);
  useEffect(() => {
    // A form that stays on the screen after its save is guarded again.
    if (!isDirty()) mayLeave.current = false;
  });
  const isUnsaved = () => !mayLeave.current && isDirty();
  // A session that ends asks for a login instead of taking the form away.
  useEffect(() => watchUnsaved(isUnsaved));
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

interface SaveFormOptions<Values, Output> {
  form: UseFormReturnType<Values, Output>;
  save(values: Output): Promise<unknown>;
  onSaved(): void;
}

/** Submits a form: validates, saves, keeps everything typed when the save fails, and leads the focus to what is wrong. */
export function useSaveForm<Values, Output>({ form, save, onSaved }: SaveFormOptions<Values, Output>) {
  const [isSaving, setSaving] = useState(false);
  const [saveError, setSaveError] = useState<Error>();
  const [attempts, setAttempts] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  const letLeave = useLeaveGuard(() => form.isDirty());
  useEffect(() => {
    if (attempts > 0) summary.current?.focus();
  }, [attempts]);

  const submit = async (values: Output) => {
    setSaving(true);
    setSaveError(undefined);
    try {
      await save(values);
      letLeave();
      onSaved();
    } catch (error) {
      // The toast comes from the mutation; what must not get lost with it stands above the form.
      setSaveError(error instanceof Error ? error : new Error(String(error)));
      if (error instanceof ApiError && error.field !== undefined) form.setFieldError(error.field, errorText(error));
      setAttempts((count) => count + 1);
    } finally {
      setSaving(false);
    }
  };
  const onSubmit = form.onSubmit(
    (values) => void submit(values),
    () => {
      setSaveError(undefined);
      setAttempts((count) => count + 1);
    },
  );
  return { isSaving, saveError, wasTried: attempts > 0, onSubmit, summary };
}
