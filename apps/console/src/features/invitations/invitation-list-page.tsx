import { INVITATION_STATES } from "@one-api/contract/accounts/invitation-constants";
import type { Invitation } from "@one-api/contract/accounts/invitation";
import { IconLink, IconTrash } from "@tabler/icons-react";
import { useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { FilterSelect } from "../../components/data-table/controls/list-selects.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import type { RowAction } from "../../components/data-table/rows/row-action.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { invitationColumns, stateOf } from "./invitation-columns.tsx";
import { useInvitationLink } from "./invitation-link.ts";
import { readInvitationFilters } from "./invitation-list-search.ts";
import { useDeleteInvitation, useInvitations } from "./invitation-queries.ts";

function useInvitationActions(): (invitation: Invitation) => RowAction[] {
  const { t } = useTranslation("invitations", "common");
  const copy = useCopy();
  const linkOf = useInvitationLink();
  const remove = useDeleteInvitation();
  return (invitation) => [
    {
      id: "copy",
      label: t("copy.action"),
      icon: <IconLink size={16} />,
      disabled: stateOf(invitation) !== "open",
      onSelect: () => void copy(linkOf(invitation.code), t("copy.done")),
    },
    {
      id: "delete",
      label: t("withdraw.action"),
      icon: <IconTrash size={16} />,
      tone: "danger",
      disabled: invitation.used_at > 0,
      confirm: {
        title: t("withdraw.title", { name: invitation.name }),
        message: t("withdraw.message"),
        confirmLabel: t("withdraw.action"),
        tone: "danger",
      },
      onSelect: () => remove.mutate(invitation.id, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
    },
  ];
}

function NoInvitations() {
  const { t } = useTranslation("invitations");
  const action = (
    <ButtonLink to="/user/invitation/add" variant="default">
      {t("empty.action")}
    </ButtonLink>
  );
  return <EmptyState title={t("empty.title")} text={t("empty.text")} action={action} />;
}

export default function InvitationListPage() {
  const { t } = useTranslation("invitations", "common");
  const { invitation_required: isRequired } = useStoredStatus();
  const search = useListSearch();
  const { state } = readInvitationFilters(useSearch({ strict: false }));
  const list = useInvitations(search, { state });
  const actionsOf = useInvitationActions();
  return (
    <>
      <PageHeader
        back={<TextLink to="/user">{t("back")}</TextLink>}
        title={t("title")}
        description={t(isRequired ? "descriptionRequired" : "description")}
        primaryAction={
          <ButtonLink to="/user/invitation/add" aria-keyshortcuts="c">
            {t("add")}
          </ButtonLink>
        }
      />
      <DataList
        id="invitations"
        label={t("title")}
        list={list}
        search={search}
        columns={invitationColumns(t)}
        rowKey={(invitation) => invitation.id}
        rowName={(invitation) => invitation.name}
        rowActions={actionsOf}
        searchPlaceholder={t("search")}
        filters={
          <FilterSelect
            label={t("columns.state")}
            choices={INVITATION_STATES.flatMap((name, index) =>
              name === "all" ? [] : [[index, t(`state.${name}`)] as const],
            )}
            value={state}
            onChange={(chosen) => search.setFilters({ state: chosen })}
          />
        }
        isFiltered={state !== undefined}
        onClearFilters={() => search.setFilters({ state: undefined })}
        tools={<RefreshButton onRefresh={list.retry} />}
        empty={<NoInvitations />}
      />
    </>
  );
}
