import { Alert } from "@mantine/core";
import { IconWallet } from "@tabler/icons-react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";

export default function NoBalanceNotice({ quota }: { quota: number }) {
  const { t } = useTranslation("topup");
  const format = useFormatQuota();
  return (
    <Alert
      color="warning"
      variant="light"
      mb="md"
      icon={<IconWallet size={18} />}
      title={t("noBalance.title", { amount: format(quota) })}
    >
      <div>{t("noBalance.text")}</div>
      <ButtonLink to="/topup" variant="default" size="compact-sm" mt="xs">
        {t("noBalance.action")}
      </ButtonLink>
    </Alert>
  );
}
