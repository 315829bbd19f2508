import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { useIsAdmin } from "../../lib/session.ts";

/** Shows an administrators' page to administrators; tells everybody else what it is, with a way back. */
export function AdministratorsOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const isAdmin = useIsAdmin();
  if (isAdmin) return children;
  return (
    <MessagePage
      title={t("adminOnly.title")}
      text={t("adminOnly.text")}
      action={<ButtonLink to="/token">{t("adminOnly.back")}</ButtonLink>}
    />
  );
}
