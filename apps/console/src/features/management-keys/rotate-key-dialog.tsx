import { Text } from "@mantine/core";
import type { ManagementKey, NewManagementKey } from "@one-api/contract/accounts/management-key";
import { useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { OverlapField, USUAL_OVERLAP } from "../tokens/key/overlap-field.tsx";
import { timeUntil } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useRotateKey } from "./key-queries.ts";

interface RotateKeyDialogProps {
  managementKey: ManagementKey;
  onRotated(made: NewManagementKey): void;
  onClose(): void;
}

export default function RotateKeyDialog({ managementKey, onRotated, onClose }: RotateKeyDialogProps) {
  const { t, language } = useTranslation("management-keys");
  const { id, name, old_key_ends_at: oldEndsAt } = managementKey;
  const [overlapSeconds, setOverlapSeconds] = useState<number>(USUAL_OVERLAP);
  const rotate = useRotateKey();
  return (
    <FormDialog
      title={t("rotate.title", { name })}
      submitLabel={t("rotate.submit")}
      isSaving={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={() => rotate.mutate({ id, overlapSeconds }, { onSuccess: onRotated })}
    >
      <OverlapField
        label={t("rotate.question")}
        textOf={(seconds) => ({ label: t(`rotate.overlaps.${seconds}`) })}
        value={overlapSeconds}
        onChange={setOverlapSeconds}
      />
      {oldEndsAt > 0 && (
        <Text size="sm" mt="md">
          {t("rotate.olderEnds", { when: timeUntil(oldEndsAt, language) })}
        </Text>
      )}
    </FormDialog>
  );
}
