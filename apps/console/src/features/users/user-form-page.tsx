import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { ApiError } from "../../lib/api/api-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import { UserForm } from "./form/user-form.tsx";
import { userQuery } from "./user-queries.ts";

function StoredUserForm({ id }: { id: number }) {
  const { t } = useTranslation("users");
  const user = useQuery(userQuery(id));
  const isOwn = useCurrentUser()?.id === id;
  if (user.data !== undefined) return <UserForm user={user.data} />;
  if (isOwn && user.error instanceof ApiError && user.error.code === "user-not-below-you")
    return (
      <MessagePage
        title={t("own.title")}
        text={t("own.text")}
        action={<ButtonLink to="/user/edit">{t("own.action")}</ButtonLink>}
      />
    );
  if (user.error !== null)
    return (
      <FormLoadError title={t("editTitle")} backPath="/user" error={user.error} onRetry={() => void user.refetch()} />
    );
  return <LoadingPlaceholder prompt={t("one")} />;
}

export default function UserFormPage() {
  const id = useRowId();
  return id === undefined ? <UserForm key="new" /> : <StoredUserForm key={id} id={id} />;
}
