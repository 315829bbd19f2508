import { useQuery } from "@tanstack/react-query";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import { UserForm } from "./form/user-form.tsx";
import { userQuery } from "./user-queries.ts";

function StoredUserForm({ id }: { id: number }) {
  const { t } = useTranslation("users");
  const user = useQuery(userQuery(id));
  if (user.data !== undefined) return <UserForm user={user.data} />;
  if (user.error !== null)
    return (
      <FormLoadError title={t("editTitle")} backPath="/user" error={user.error} onRetry={() => void user.refetch()} />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

/** Creates a user, or edits the one of the address. */
export default function UserFormPage() {
  const id = useRowId();
  return id === undefined ? <UserForm key="new" /> : <StoredUserForm key={id} id={id} />;
}
