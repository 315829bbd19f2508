import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { MessagePage } from "../../components/message-page.tsx";

/** What every address outside the console's pages shows. */
export function NotFoundPage() {
  const { t } = useTranslation("shell");
  return (
    <MessagePage mark="404" title={t("notFound.title")} action={<ButtonLink to="/">{t("notFound.home")}</ButtonLink>} />
  );
}
