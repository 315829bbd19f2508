import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { tokenQuery } from "./token-queries.ts";
import { TokenForm } from "./form/token-form.tsx";
import { useRowId } from "../../lib/use-row-id.ts";

function StoredTokenForm({ id }: { id: number }) {
  const { t } = useTranslation("tokens");
  const token = useQuery(tokenQuery(id));
  if (token.data !== undefined) return <TokenForm token={token.data} />;
  if (token.error !== null)
    return (
      <FormLoadError
        title={t("editTitle")}
        backPath="/token"
        error={token.error}
        onRetry={() => void token.refetch()}
      />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

export default function TokenFormPage() {
  const id = useRowId();
  return id === undefined ? <TokenForm key="new" /> : <StoredTokenForm key={id} id={id} />;
}
