import { Button } from "@mantine/core";
import type { ComponentProps, SyntheticEvent } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ErrorAlert } from "../boxes/error-alert.tsx";
import { Dialog, DialogFoot } from "./dialog.tsx";

interface FormDialogProps extends ComponentProps<typeof Dialog> {
  submitLabel: string;
  cancelLabel?: string;
  tone?: "danger" | "normal";
  isSaving?: boolean;
  canSubmit?: boolean;
  /** The submit button has the focus first: for a dialog without fields, or with fields that can stay. */
  startsAtSubmit?: boolean;
  error?: Error | null;
  /** Submits; the owner closes the dialog when it went well. */
  onSubmit(): void;
  onEdit?: () => void;
}

/**
 * A dialog with a form: fields, error, submit and cancel. Only its owner closes it, so that a failed save loses
 * nothing.
 */
export function FormDialog({
  submitLabel,
  cancelLabel,
  tone = "normal",
  isSaving = false,
  canSubmit = true,
  startsAtSubmit = false,
  error = null,
  onSubmit,
  onEdit,
  children,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!canSubmit || isSaving) return;
    const { currentTarget: form } = event;
    onSubmit();
    // The fields know by then which of them are wrong.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const edit = (event: SyntheticEvent<HTMLFormElement>) => {
    // Typed values count as unsaved work while the dialog is open.
    event.currentTarget.dataset["edited"] = "";
    onEdit?.();
  };
  return (
    <Dialog {...dialog}>
      <form onSubmit={submit} onChange={edit} noValidate>
        {children}
        <ErrorAlert error={error} mt="md" />
        <DialogFoot>
          <Button variant="default" onClick={dialog.onClose}>
            {cancelLabel ?? t("cancel")}
          </Button>
          <Button
            type="submit"
            {...(tone === "danger" ? { color: "danger" } : {})}
            loading={isSaving}
            disabled={!canSubmit}
            {...(startsAtSubmit ? { "data-autofocus": true } : {})}
          >
            {submitLabel}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
