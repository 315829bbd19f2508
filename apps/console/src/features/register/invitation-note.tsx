import { Alert } from "@mantine/core";
import { IconMailOpened } from "@tabler/icons-react";
import { TimeText } from "../../components/time-text.tsx";
import type { CallData } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";

type OpenInvitation = CallData<"GET /api/user/invitation">;

export function InvitationNote({ invitation }: { invitation: OpenInvitation }) {
  const { t } = useTranslation("registration");
  const format = useFormatQuota();
  const { invited_by: name, expires_at: expiresAt, quota } = invitation;
  return (
    <Alert
      variant="light"
      icon={<IconMailOpened size={18} />}
      title={name === "" ? t("invited.title") : t("invited.by", { name })}
    >
      <div>
        {t("invited.until")} <TimeText time={expiresAt} />
      </div>
      <div>{t(quota > 0 ? "invited.quota" : "invited.noQuota", { amount: format(quota) })}</div>
    </Alert>
  );
}
