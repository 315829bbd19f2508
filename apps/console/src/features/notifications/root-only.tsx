import type { ReactNode } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../lib/state/session.ts";

/** Shows a page of notifications to root, and a note to other administrators. */
export function RootOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("notifications");
  if (useIsRoot()) return children;
  return (
    <MessagePage
      title={t("rootOnly.title")}
      text={t("rootOnly.text")}
      action={<ButtonLink to="/dashboard">{t("rootOnly.back")}</ButtonLink>}
    />
  );
}
