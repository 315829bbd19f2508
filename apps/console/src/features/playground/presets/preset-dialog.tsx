import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { NameField, useNameField } from "../../views/name-field.tsx";
import { type NamedView, useDeleteView, useSaveView, type ViewFields } from "../../views/view-queries.ts";

interface PresetDialogProps {
  fields: ViewFields;
  /** The preset that was chosen last: its name is offered. */
  preset: NamedView | undefined;
  isRename: boolean;
  onClose(): void;
  onSaved(id: number): void;
}

export function PresetDialog({ fields, preset, isRename, onClose, onSaved }: PresetDialogProps) {
  const { t } = useTranslation("playground");
  const { name, check, field } = useNameField(preset?.name ?? "");
  const save = useSaveView("playground");
  const remove = useDeleteView("playground");
  const old = isRename ? preset : undefined;
  const submit = () => {
    if (!check()) return;
    if (name === old?.name) return onClose();
    const onSuccess = (saved: Pick<NamedView, "id" | "name">) => {
      if (old !== undefined) remove.mutate(old);
      onSaved(saved.id);
      toastSuccess(t("presets.saved", { name: saved.name }));
      onClose();
    };
    save.mutate({ name, fields, isShared: false, isDefault: false }, { onSuccess });
  };
  const submitLabel = isRename ? t("presets.renameShort") : t("presets.submit");
  return (
    <FormDialog
      title={submitLabel}
      onClose={onClose}
      submitLabel={submitLabel}
      isSaving={save.isPending}
      error={save.error}
      onEdit={() => save.isError && save.reset()}
      onSubmit={submit}
    >
      <NameField field={field} hint={t(isRename ? "presets.renameHint" : "presets.saveHint")} />
    </FormDialog>
  );
}
