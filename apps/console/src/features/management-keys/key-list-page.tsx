import type { ManagementKey, NewManagementKey } from "@one-api/contract/accounts/management-key";
import { IconPencil, IconRotate, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import type { RowAction } from "../../components/data-table/rows/row-action.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useIsRoot } from "../../lib/state/session.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { keyColumns } from "./key-columns.tsx";
import { useManagementKeys, useRevokeKey } from "./key-queries.ts";

const RotateKeyDialog = lazyPart(() => import("./rotate-key-dialog.tsx"));
const NewSecretDialog = lazyPart(() => import("./new-secret-dialog.tsx"));

function useKeyActions(rotate: (key: ManagementKey) => void): (key: ManagementKey) => RowAction[] {
  const { t } = useTranslation("management-keys", "common");
  const revoke = useRevokeKey();
  return (key) => [
    {
      id: "edit",
      label: t("common:edit"),
      icon: <IconPencil size={16} />,
      disabled: !key.is_own,
      path: `/management-keys/edit/${key.id}`,
    },
    {
      id: "rotate",
      label: t("rotate.action"),
      icon: <IconRotate size={16} />,
      disabled: !key.is_own,
      onSelect: () => rotate(key),
    },
    {
      id: "revoke",
      label: t("revoke.action"),
      icon: <IconTrash size={16} />,
      tone: "danger",
      confirm: {
        title: t("revoke.title", { name: key.name }),
        message: t("revoke.message"),
        confirmLabel: t("revoke.action"),
        tone: "danger",
      },
      onSelect: () => revoke.mutate(key.id, { onSuccess: () => toastSuccess(t("revoke.done", { name: key.name })) }),
    },
  ];
}

function NoKeys() {
  const { t } = useTranslation("management-keys");
  const action = (
    <ButtonLink to="/management-keys/add" variant="default">
      {t("add")}
    </ButtonLink>
  );
  return <EmptyState title={t("empty.title")} text={t("empty.text")} action={action} />;
}

export default function KeyListPage() {
  const { t, language } = useTranslation("management-keys");
  const search = useListSearch();
  const list = useManagementKeys(search);
  const withOwner = useIsRoot();
  const [rotated, setRotated] = useState<ManagementKey>();
  const [made, setMade] = useState<NewManagementKey>();
  const actionsOf = useKeyActions(setRotated);
  const asCards = useCardScreen();
  const refresh = <RefreshButton onRefresh={list.retry} />;
  return (
    <>
      <PageHeader
        back={<TextLink to="/setting">{t("back")}</TextLink>}
        title={t("title")}
        description={t("description")}
        primaryAction={
          <ButtonLink to="/management-keys/add" aria-keyshortcuts="c">
            {t("add")}
          </ButtonLink>
        }
        secondaryActions={asCards && refresh}
      />
      <DataList
        id="management-keys"
        label={t("title")}
        list={list}
        search={search}
        columns={keyColumns({ t, language, withOwner })}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={actionsOf}
        {...(asCards ? {} : { tools: refresh })}
        empty={<NoKeys />}
      />
      {rotated !== undefined && (
        <RotateKeyDialog
          managementKey={rotated}
          onRotated={(answer) => {
            setRotated(undefined);
            setMade(answer);
          }}
          onClose={() => setRotated(undefined)}
        />
      )}
      {made !== undefined && <NewSecretDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
