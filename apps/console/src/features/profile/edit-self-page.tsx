import { useTranslation } from "react-i18next";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useSelf } from "./api/use-self.ts";
import { EditSelfForm } from "./edit-self-form.tsx";

/** Where everybody edits the own name and password. */
export default function EditSelfPage() {
  const { t } = useTranslation("profile");
  const self = useSelf();
  const showLoading = useDelayed(self.isPending);
  if (self.data !== undefined) return <EditSelfForm user={self.data} />;
  if (self.isError) {
    return (
      <FormLoadError title={t("title")} backPath="/token" error={self.error} onRetry={() => void self.refetch()} />
    );
  }
  return showLoading ? <LoadingPlaceholder prompt={t("prompt")} /> : null;
}
