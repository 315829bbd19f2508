import { TextInput } from "@mantine/core";
import { VIEW_LIMITS } from "@one-api/contract/view";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import type { LogFilters } from "../log-search.ts";
import { useSaveView } from "./view-queries.ts";

/** Names the filters that are set. */
export default function SaveViewDialog({ filters, onClose }: { filters: LogFilters; onClose(): void }) {
  const { t } = useTranslation("logs");
  const [name, setName] = useState("");
  const save = useSaveView();
  const submit = () =>
    save.mutate(
      { name: name.trim(), filters },
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
    </FormDialog>
  );
}
