import { useQuery } from "@tanstack/react-query";
import { FormLoadError } from "../../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useRowId } from "../../../lib/use-row-id.ts";
import { RootOnly } from "../root-only.tsx";
import { ReceiverForm } from "./receiver-form.tsx";
import { receiverQuery } from "./receiver-list.ts";

function StoredReceiverForm({ id }: { id: number }) {
  const { t } = useTranslation("notifications");
  const receiver = useQuery(receiverQuery(id));
  if (receiver.data !== undefined) return <ReceiverForm receiver={receiver.data} />;
  if (receiver.error !== null)
    return (
      <FormLoadError
        title={t("editTitle")}
        backPath="/notifications"
        error={receiver.error}
        onRetry={() => void receiver.refetch()}
      />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

export default function ReceiverFormPage() {
  const id = useRowId();
  return <RootOnly>{id === undefined ? <ReceiverForm key="new" /> : <StoredReceiverForm key={id} id={id} />}</RootOnly>;
}
