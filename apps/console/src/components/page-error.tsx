import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "../lib/i18n/use-translation.ts";
import { useErrorText } from "../lib/api/error-text.ts";
import { MessagePage } from "./message-page.tsx";

export function PageError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  useEffect(() => console.error(error), [error]);
  return (
    <MessagePage
      title={t("pageError.title")}
      text={useErrorText(error)}
      action={<Button onClick={() => window.location.reload()}>{t("pageError.reload")}</Button>}
    />
  );
}
