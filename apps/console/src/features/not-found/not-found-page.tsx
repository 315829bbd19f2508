import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";

const PageSuggestions = lazyPart(() => import("./page-suggestions.tsx"), ["palette"]);

export function NotFoundPage() {
  const { t } = useTranslation("shell");
  return (
    <MessagePage
      mark="404"
      title={t("notFound.title")}
      action={
        <>
          <ButtonLink to="/">{t("notFound.home")}</ButtonLink>
          <PageSuggestions />
        </>
      }
    />
  );
}
