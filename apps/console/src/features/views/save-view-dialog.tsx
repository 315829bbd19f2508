import { Checkbox, Stack, TextInput } from "@mantine/core";
import { VIEW_LIMITS, viewNameSchema, type ViewPage } from "@one-api/contract/view";
import { useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { isAccepted } from "../../lib/validate-form.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { type NamedView, useSaveView, type ViewFields } from "./view-queries.ts";

type ViewUses = Pick<NamedView, "isDefault" | "isShared">;

function Uses({ uses, onChange }: { uses: ViewUses; onChange(uses: ViewUses): void }) {
  const { t } = useTranslation("views");
  const isAdmin = useIsAdmin();
  return (
    <Stack gap="sm" mt="md">
      <Checkbox
        label={t("isDefault")}
        checked={uses.isDefault}
        onChange={(event) => onChange({ ...uses, isDefault: event.currentTarget.checked })}
      />
      {isAdmin && (
        <Checkbox
          label={t("isShared")}
          description={t("isSharedHint")}
          checked={uses.isShared}
          onChange={(event) => onChange({ ...uses, isShared: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

interface SaveViewDialogProps {
  page: ViewPage;
  fields: ViewFields;
  onClose(): void;
}

export default function SaveViewDialog({ page, fields, onClose }: SaveViewDialogProps) {
  const { t } = useTranslation("views");
  const [name, setName] = useState("");
  const [uses, setUses] = useState<ViewUses>({ isDefault: false, isShared: false });
  const save = useSaveView(page);
  const submit = () =>
    save.mutate(
      { name: name.trim(), fields, ...uses },
      {
        onSuccess: (view) => {
          toastSuccess(t("saved", { name: view.name }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t("submit")}
      onClose={onClose}
      submitLabel={t("submit")}
      isSaving={save.isPending}
      canSubmit={isAccepted(viewNameSchema, name)}
      error={save.error}
      onEdit={() => save.isError && save.reset()}
      onSubmit={submit}
    >
      <TextInput
        label={t("name")}
        description={t("nameHint")}
        maxLength={VIEW_LIMITS.nameLength}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Uses uses={uses} onChange={setUses} />
    </FormDialog>
  );
}
