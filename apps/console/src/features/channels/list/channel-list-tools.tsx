import { Button } from "@mantine/core";
import { IconListDetails, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface ChannelListToolsProps {
  hasDetails: boolean;
  onToggleDetails(): void;
  onRefresh(): void;
}

/** Details and refresh, beside the search. */
export function ChannelListTools({ hasDetails, onToggleDetails, onRefresh }: ChannelListToolsProps) {
  const { t } = useTranslation(["channels", "common"]);
  return (
    <>
      <Button variant="default" leftSection={<IconListDetails size={16} />} onClick={onToggleDetails}>
        {hasDetails ? t("hideDetails") : t("showDetails")}
      </Button>
      <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={onRefresh}>
        {t("common:refresh")}
      </Button>
    </>
  );
}
