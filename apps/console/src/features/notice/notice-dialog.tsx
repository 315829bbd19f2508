import { Button, Group, Modal } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SafeContent } from "../../components/safe-content.tsx";

/** The notice; stays until it is closed. */
export default function NoticeDialog({ notice, onClose }: { notice: string; onClose(): void }) {
  const { t } = useTranslation(["shell", "common"]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("shell:notice")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <SafeContent content={notice} format="markdown" />
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {t("shell:noticeClose")}
        </Button>
      </Group>
    </Modal>
  );
}
