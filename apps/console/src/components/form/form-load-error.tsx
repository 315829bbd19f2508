import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { ButtonLink } from "../buttons/button-link.tsx";
import { ListError } from "../data-table/list-error.tsx";
import { PageHeader } from "../page-header.tsx";

interface FormLoadErrorProps {
  title: string;
  backPath: string;
  error: Error;
  onRetry(): void;
}

export function FormLoadError({ title, backPath, error, onRetry }: FormLoadErrorProps) {
  const { t } = useTranslation();
  const isGone = error instanceof ApiError && error.code?.endsWith("not-found") === true;
  return (
    <>
      <PageHeader
        title={title}
        secondaryActions={
          <ButtonLink to={backPath} variant="default">
            {t("back")}
          </ButtonLink>
        }
      />
      <ListError error={error} {...(isGone ? {} : { onRetry })} />
    </>
  );
}
