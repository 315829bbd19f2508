import { Button, Stack, Text } from "@mantine/core";
import { CodeBlock } from "../../components/content/code-block.tsx";
import { Dialog, DialogFoot } from "../../components/dialogs/dialog.tsx";
import { saveTextFile } from "../../lib/browser/save-text-file.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { codeFile, type CreatedCodes, createdCodes } from "./redemption-mutations.ts";

export default function CreatedCodesDialog({ created }: { created: CreatedCodes }) {
  const { t } = useTranslation("redemptions");
  const format = useFormatQuota();
  const count = created.codes.length;
  const close = () => createdCodes.set(undefined);
  return (
    <Dialog onClose={close} size="lg" title={t("created", { count })}>
      <Stack gap="xs">
        <Text c="dimmed">{t("createdDialog.hint", { count, amount: format(created.quota) })}</Text>
        <CodeBlock code={created.codes.join("\n")} label={t("createdDialog.copy", { count })} />
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={() => saveTextFile(...codeFile(created))}>
          {t("createdDialog.download")}
        </Button>
        <Button onClick={close} data-autofocus>
          {t("createdDialog.done")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
