import { Alert, Button, Stack, TextInput } from "@mantine/core";
import type { NewManagementKey } from "@one-api/contract/accounts/management-key";
import { IconAlertTriangle } from "@tabler/icons-react";
import { CopyButton } from "../../components/buttons/copy-button.tsx";
import { Dialog, DialogFoot } from "../../components/dialogs/dialog.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

export default function NewSecretDialog({ made, onClose }: { made: NewManagementKey; onClose(): void }) {
  const { t } = useTranslation("management-keys");
  return (
    <Dialog title={t("secret.title", { name: made.name })} onClose={onClose} closeOnClickOutside={false}>
      <Stack gap="md">
        <Alert color="warning" icon={<IconAlertTriangle size={18} />}>
          {t("secret.once")}
        </Alert>
        <TextInput
          label={t("secret.label")}
          value={made.key}
          readOnly
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
          rightSection={<CopyButton text={made.key} />}
        />
      </Stack>
      <DialogFoot>
        <Button onClick={onClose}>{t("secret.done")}</Button>
      </DialogFoot>
    </Dialog>
  );
}
