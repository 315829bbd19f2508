import { useQuery } from "@tanstack/react-query";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import { RedemptionForm } from "./redemption-form.tsx";
import { redemptionQuery } from "./redemption-queries.ts";

function StoredRedemptionForm({ id }: { id: number }) {
  const { t } = useTranslation("redemptions");
  const redemption = useQuery(redemptionQuery(id));
  if (redemption.data !== undefined) return <RedemptionForm redemption={redemption.data} />;
  if (redemption.error !== null)
    return (
      <FormLoadError
        title={t("editTitle")}
        backPath="/redemption"
        error={redemption.error}
        onRetry={() => void redemption.refetch()}
      />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

export default function RedemptionFormPage() {
  const id = useRowId();
  return id === undefined ? <RedemptionForm key="new" /> : <StoredRedemptionForm key={id} id={id} />;
}
