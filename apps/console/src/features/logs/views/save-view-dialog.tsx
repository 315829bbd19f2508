import { Checkbox, Stack, TextInput } from "@mantine/core";
import { VIEW_LIMITS } from "@one-api/contract/view";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import type { LogFilters } from "../log-search.ts";
import { type LogView, useSaveView } from "./view-queries.ts";

type ViewUses = Pick<LogView, "isDefault" | "isShared">;

/** Whether the log begins with the view, and whether everybody has it. */
function Uses({ uses, onChange }: { uses: ViewUses; onChange(uses: ViewUses): void }) {
  const { t } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  return (
    <Stack gap="sm" mt="md">
      <Checkbox
        label={t("views.isDefault")}
        checked={uses.isDefault}
        onChange={(event) => onChange({ ...uses, isDefault: event.currentTarget.checked })}
      />
      {isAdmin && (
        <Checkbox
          label={t("views.isShared")}
          description={t("views.isSharedHint")}
          checked={uses.isShared}
          onChange={(event) => onChange({ ...uses, isShared: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

/** Names the filters that are set. */
export default function SaveViewDialog({ filters, onClose }: { filters: LogFilters; onClose(): void }) {
  const { t } = useTranslation("logs");
  const [name, setName] = useState("");
  const [uses, setUses] = useState<ViewUses>({ isDefault: false, isShared: false });
  const save = useSaveView();
  const submit = () =>
    save.mutate(
      { name: name.trim(), filters, ...uses },
      {
        onSuccess: (view) => {
          toastSuccess(t("views.saved", { name: view.name }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t("views.save")}
      onClose={onClose}
      submitLabel={t("views.submit")}
      isSaving={save.isPending}
      canSubmit={name.trim() !== ""}
      error={save.error}
      onEdit={() => save.isError && save.reset()}
      onSubmit={submit}
    >
      <TextInput
        label={t("views.name")}
        description={t("views.nameHint")}
        maxLength={VIEW_LIMITS.nameLength}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Uses uses={uses} onChange={setUses} />
    </FormDialog>
  );
}
