import { Button } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { EmptyState } from "./empty-state.tsx";

export function ListError({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { t } = useTranslation();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const reason = useErrorText(error);
  return (
    <EmptyState
      title={t("listError.title")}
      text={requestId === undefined ? reason : `${reason} (${t("listError.request", { id: requestId })})`}
      action={
        onRetry && (
          <Button variant="default" onClick={onRetry}>
            {t("retry")}
          </Button>
        )
      }
    />
  );
}
