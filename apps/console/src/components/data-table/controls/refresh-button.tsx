import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";

interface RefreshButtonProps {
  onRefresh(): void;
  isRefreshing?: boolean;
}

export function RefreshButton({ onRefresh, isRefreshing = false }: RefreshButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      data-refresh
      loading={isRefreshing}
      onClick={onRefresh}
    >
      {t("refresh")}
    </Button>
  );
}
