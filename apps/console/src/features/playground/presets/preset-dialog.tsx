import { TextInput } from "@mantine/core";
import { VIEW_LIMITS, viewNameSchema } from "@one-api/contract/view";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { isAccepted } from "../../../lib/validate-form.ts";
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
  const [typed, setName] = useState(preset?.name ?? "");
  const save = useSaveView("playground");
  const remove = useDeleteView("playground");
  const name = typed.trim();
  const old = isRename ? preset : undefined;
  const submit = () =>
    save.mutate(
      { name, fields, isShared: old?.isShared === true, isDefault: false },
      {
        onSuccess: (saved) => {
          if (old !== undefined) remove.mutate(old);
          onSaved(saved.id);
          toastSuccess(t("presets.saved", { name: saved.name }));
          onClose();
        },
      },
    );
  const submitLabel = isRename ? t("presets.renameShort") : t("presets.submit");
  return (
    <FormDialog
      title={submitLabel}
      onClose={onClose}
      submitLabel={submitLabel}
      isSaving={save.isPending}
      canSubmit={isAccepted(viewNameSchema, name) && name !== old?.name}
      error={save.error}
      onEdit={() => save.isError && save.reset()}
      onSubmit={submit}
    >
      <TextInput
        label={t("presets.name")}
        description={t(isRename ? "presets.renameHint" : "presets.saveHint")}
        maxLength={VIEW_LIMITS.nameLength}
        value={typed}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
