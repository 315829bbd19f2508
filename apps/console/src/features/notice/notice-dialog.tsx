import { Button } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Dialog, DialogFoot } from "../../components/dialogs/dialog.tsx";
import { SafeContent } from "../../components/content/safe-content.tsx";

export default function NoticeDialog({ notice, onClose }: { notice: string; onClose(): void }) {
  const { t } = useTranslation("shell");
  return (
    <Dialog onClose={onClose} title={t("notice")} size="lg">
      <SafeContent content={notice} format="markdown" />
      <DialogFoot>
        <Button onClick={onClose} data-autofocus>
          {t("noticeClose")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
