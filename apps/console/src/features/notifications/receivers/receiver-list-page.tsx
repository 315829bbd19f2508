import type { Receiver } from "@one-api/contract/notifications/receiver";
import { IconPencil, IconMailForward, IconSend, IconTrash } from "@tabler/icons-react";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { RefreshButton } from "../../../components/data-table/controls/refresh-button.tsx";
import { DataList } from "../../../components/data-table/data-list.tsx";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import type { RowAction } from "../../../components/data-table/rows/row-action.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../../lib/list/use-list-search.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { RootOnly } from "../root-only.tsx";
import { receiverColumns } from "./receiver-columns.tsx";
import { useDeleteReceiver, useReceivers, useTestReceiver } from "./receiver-queries.ts";

function useReceiverActions(): (receiver: Receiver) => RowAction[] {
  const { t } = useTranslation("notifications", "common");
  const remove = useDeleteReceiver();
  const test = useTestReceiver();
  return ({ id, name }) => [
    {
      id: "test",
      label: t("test.action"),
      icon: <IconSend size={16} />,
      busy: test.isPending && test.variables === id,
      onSelect: () => test.mutate(id, { onSuccess: () => toastSuccess(t("test.done", { name })) }),
    },
    { id: "edit", label: t("edit"), icon: <IconPencil size={16} />, path: `/notifications/edit/${id}` },
    {
      id: "deliveries",
      label: t("deliveries.action"),
      icon: <IconMailForward size={16} />,
      placement: "menu",
      path: `/notifications/deliveries?receiver=${id}`,
    },
    {
      id: "delete",
      label: t("delete.action"),
      icon: <IconTrash size={16} />,
      tone: "danger",
      placement: "menu",
      confirm: {
        title: t("delete.title", { name }),
        message: t("delete.message"),
        confirmLabel: t("delete.action"),
        tone: "danger",
      },
      onSelect: () => remove.mutate(id, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
    },
  ];
}

function NoReceivers() {
  const { t } = useTranslation("notifications");
  const action = (
    <ButtonLink to="/notifications/add" variant="default">
      {t("add")}
    </ButtonLink>
  );
  return <EmptyState title={t("empty.title")} text={t("empty.text")} action={action} />;
}

function ReceiverList() {
  const { t } = useTranslation("notifications");
  const search = useListSearch();
  const list = useReceivers(search);
  const actionsOf = useReceiverActions();
  const asCards = useCardScreen();
  const refresh = <RefreshButton onRefresh={list.retry} />;
  return (
    <>
      <PageHeader
        back={<TextLink to="/setting">{t("back")}</TextLink>}
        title={t("title")}
        description={t("description")}
        primaryAction={
          <ButtonLink to="/notifications/add" aria-keyshortcuts="c">
            {t("add")}
          </ButtonLink>
        }
        secondaryActions={
          <>
            {asCards && refresh}
            <ButtonLink to="/notifications/deliveries" variant="default">
              {t("deliveries.title")}
            </ButtonLink>
          </>
        }
      />
      <DataList
        id="receivers"
        label={t("title")}
        list={list}
        search={search}
        columns={receiverColumns(t)}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={actionsOf}
        {...(asCards ? {} : { tools: refresh })}
        empty={<NoReceivers />}
      />
    </>
  );
}

export default function ReceiverListPage() {
  return (
    <RootOnly>
      <ReceiverList />
    </RootOnly>
  );
}
