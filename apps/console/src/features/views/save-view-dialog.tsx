import { Checkbox, Stack } from "@mantine/core";
import type { ViewPage } from "@one-api/contract/view";
import { useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { NameField, useNameField } from "./name-field.tsx";
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
  const { name, check, field } = useNameField("");
  const [uses, setUses] = useState<ViewUses>({ isDefault: false, isShared: false });
  const save = useSaveView(page);
  const submit = () => {
    const onSuccess = (view: { name: string }) => {
      toastSuccess(t("saved", { name: view.name }));
      onClose();
    };
    if (check()) save.mutate({ name, fields, ...uses }, { onSuccess });
  };
  return (
    <FormDialog
      title={t("submit")}
      onClose={onClose}
      submitLabel={t("submit")}
      isSaving={save.isPending}
      error={save.error}
      onEdit={() => save.isError && save.reset()}
      onSubmit={submit}
    >
      <NameField field={field} hint={t("nameHint")} />
      <Uses uses={uses} onChange={setUses} />
    </FormDialog>
  );
}
