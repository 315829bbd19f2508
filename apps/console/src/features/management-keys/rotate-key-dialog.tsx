import { Radio, Stack, Text } from "@mantine/core";
import type { ManagementKey, NewManagementKey } from "@one-api/contract/accounts/management-key";
import { KEY_OVERLAPS } from "@one-api/contract/token-constants";
import { useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { timeUntil } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useRotateKey } from "./key-queries.ts";

interface RotateKeyDialogProps {
  managementKey: ManagementKey;
  onRotated(made: NewManagementKey): void;
  onClose(): void;
}

const [, , DAY] = KEY_OVERLAPS;

/** Asks how long the present secret works on, and replaces it. */
export default function RotateKeyDialog({ managementKey, onRotated, onClose }: RotateKeyDialogProps) {
  const { t, language } = useTranslation("management-keys");
  const { id, name, old_key_ends_at: oldEndsAt } = managementKey;
  const [overlapSeconds, setOverlapSeconds] = useState<number>(DAY);
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
      <Radio.Group
        label={t("rotate.question")}
        value={String(overlapSeconds)}
        onChange={(chosen) => setOverlapSeconds(Number(chosen))}
      >
        <Stack gap="xs" mt="sm">
          {KEY_OVERLAPS.map((seconds) => (
            <Radio
              key={seconds}
              value={String(seconds)}
              label={t(`rotate.overlaps.${seconds}`)}
              data-autofocus={seconds === DAY || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {oldEndsAt > 0 && (
        <Text size="sm" mt="md">
          {t("rotate.olderEnds", { when: timeUntil(oldEndsAt, language) })}
        </Text>
      )}
    </FormDialog>
  );
}
