import { VisuallyHidden } from "@mantine/core";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { WebFrame } from "../../components/content/web-frame.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { usePageTitle } from "../../lib/browser/use-page-title.ts";
import { webAddress } from "../../lib/values/web-address.ts";
import { usePublicStatus } from "../shell/status-queries.ts";

function NoChatYet() {
  const { t } = useTranslation("chat");
  const isAdmin = useIsAdmin();
  return (
    <>
      <PageHeader title={t("title")} />
      <EmptyState
        title={t("empty.title")}
        text={t(isAdmin ? "empty.textForAdmins" : "empty.text")}
        action={
          isAdmin && (
            <ButtonLink to="/setting" search={{ option: "ChatLink" }}>
              {t("empty.set")}
            </ButtonLink>
          )
        }
      />
    </>
  );
}

export default function ChatPage() {
  const { t } = useTranslation("chat");
  const address = webAddress(useStoredStatus().chat_link);
  const isAsking = usePublicStatus().isPending && address === undefined;
  const showLoading = useDelayed(isAsking);
  usePageTitle(t("title"));
  if (isAsking) return showLoading ? <LoadingPlaceholder prompt={t("title")} /> : null;
  if (address === undefined) return <NoChatYet />;
  return (
    <>
      <VisuallyHidden>
        <h1 id="page-title" tabIndex={-1}>
          {t("title")}
        </h1>
      </VisuallyHidden>
      <WebFrame address={address} title={t("title")} keepsStorage />
    </>
  );
}
