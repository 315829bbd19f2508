import { Alert, Button, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Dialog, DialogFoot } from "../../../components/dialogs/dialog.tsx";
import { useCopy } from "../../../components/buttons/use-copy.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { saveTextFile } from "../../../lib/browser/save-text-file.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import classes from "./security.module.css";

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { t } = useTranslation("security");
  const copy = useCopy();
  const { system_name: system } = useStoredStatus();
  const text = codes.join("\n");
  return (
    <Dialog title={t("recovery.title")} size="sm" onClose={onClose} closeOnClickOutside={false}>
      <Stack gap="md">
        <Alert color="warning" icon={<IconAlertTriangle size={18} />}>
          {t("recovery.once")}
        </Alert>
        <ul className={classes.codes} aria-label={t("recovery.title")}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={classes.actions}>
          <Button variant="default" onClick={() => void copy(text, t("recovery.copied"))}>
            {t("recovery.copy")}
          </Button>
          <Button variant="default" onClick={() => saveTextFile(`${system} ${t("recovery.title")}`, `${text}\n`)}>
            {t("recovery.download")}
          </Button>
        </div>
      </Stack>
      <DialogFoot>
        <Button onClick={onClose}>{t("recovery.kept")}</Button>
      </DialogFoot>
    </Dialog>
  );
}
