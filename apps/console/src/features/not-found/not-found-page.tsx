import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { MessagePage } from "../../components/message-page.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("shell");
  return (
    <MessagePage mark="404" title={t("notFound.title")} action={<ButtonLink to="/">{t("notFound.home")}</ButtonLink>} />
  );
}
