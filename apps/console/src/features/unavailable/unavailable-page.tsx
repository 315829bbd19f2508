import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { MessagePage } from "../../components/message-page.tsx";

/** What the addresses of pages show that are still to come. */
export default function UnavailablePage() {
  const { t } = useTranslation("shell");
  const router = useRouter();
  return (
    <MessagePage
      title={t("unavailable.title")}
      text={t("unavailable.text")}
      action={
        <Button
          variant="default"
          onClick={() => (router.history.canGoBack() ? router.history.back() : router.history.push("/"))}
        >
          {t("unavailable.back")}
        </Button>
      }
    />
  );
}
