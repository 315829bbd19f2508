import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { errorText, loadErrorTexts } from "../../lib/api/error-text.ts";
import { t } from "../../lib/i18n/i18n.ts";
import { watchUnsaved } from "../../lib/state/unsaved-work.ts";
import { ContestedEdit } from "./merge-edits.ts";
import { useLeaveQuestion } from "./use-leave-question.ts";

function useLeaveGuard(isDirty: () => boolean): () => void {
  const mayLeave = useRef(false);
  useEffect(() => {
    // A form that stays on the screen after its save is guarded again.
    if (!isDirty()) mayLeave.current = false;
  });
  const isUnsaved = () => !mayLeave.current && isDirty();
  // A session that ends asks for a login instead of taking the form away.
  useEffect(() => watchUnsaved(isUnsaved));
  useLeaveQuestion(isUnsaved);
  return () => {
    mayLeave.current = true;
  };
}

interface SaveFormOptions<Values, Output> {
  form: UseFormReturnType<Values, Output>;
  save(values: Output): Promise<unknown>;
  extraSave?: ((values: Output) => Promise<unknown>) | undefined;
  onSaved(): void;
  fieldOf?: ((field: string) => string) | undefined;
}

const joinedPath = (field: string) => field.replaceAll(".", "_");

export type SaveWay = "main" | "extra";

async function showContested<Values, Output>(
  form: Pick<UseFormReturnType<Values, Output>, "setErrors">,
  { fields }: ContestedEdit,
): Promise<void> {
  await loadErrorTexts();
  form.setErrors(Object.fromEntries(fields.map((field) => [field, t("refusals:problems.changed-meanwhile")])));
}

/** Validates and saves a form. A failed save keeps the input, and moves the focus to the refused field or to the summary of errors. */
export function useSaveForm<Values, Output>(options: SaveFormOptions<Values, Output>) {
  const { form, save, extraSave, onSaved, fieldOf = joinedPath } = options;
  const [saving, setSaving] = useState<SaveWay>();
  const [saveError, setSaveError] = useState<Error>();
  /** Attempts that failed, and the field that the server refused in the last one. */
  const [failed, setFailed] = useState<{ count: number; field: HTMLElement | null }>({ count: 0, field: null });
  const summary = useRef<HTMLDivElement>(null);
  const letLeave = useLeaveGuard(() => form.isDirty());
  useEffect(() => {
    if (failed.count > 0) (failed.field ?? summary.current)?.focus();
  }, [failed]);

  const submit = async (values: Output, way: SaveWay) => {
    if (saving !== undefined) return;
    setSaving(way);
    setSaveError(undefined);
    try {
      await (way === "extra" && extraSave !== undefined ? extraSave(values) : save(values));
      letLeave();
      onSaved();
    } catch (error) {
      let field: HTMLElement | null = null;
      if (error instanceof ContestedEdit) await showContested(form, error);
      // The toast comes from the mutation; what must not get lost with it stands above the form.
      else setSaveError(error instanceof Error ? error : new Error(String(error)));
      if (error instanceof ApiError && error.field !== undefined) {
        const path = fieldOf(error.field);
        form.setFieldError(path, errorText(error));
        field = form.getInputNode(path);
      }
      setFailed(({ count }) => ({ count: count + 1, field }));
    } finally {
      setSaving(undefined);
    }
  };
  const submitAs = (way: SaveWay) =>
    form.onSubmit(
      (values) => void submit(values, way),
      () => {
        setSaveError(undefined);
        setFailed(({ count }) => ({ count: count + 1, field: null }));
      },
    );
  return { saving, saveError, wasTried: failed.count > 0, submitAs, summary };
}
