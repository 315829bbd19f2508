import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser, UserAction } from "@one-api/contract/accounts/user-management";
import RowBulkBar, { type BulkAction } from "../../components/bulk/row-bulk-bar.tsx";
import type { ChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { BulkDeletionEffect } from "../deletion/lazy-deletion-effect.ts";
import { mayManage } from "./user-actions.tsx";
import { USERS_KEY } from "./user-queries.ts";

const manage = (action: UserAction) => {
  return ({ username }: ManagedUser) => callApi("POST /api/user/manage", { body: { username, action } });
};

const effectOf = (rows: readonly ManagedUser[]) => (
  <BulkDeletionEffect
    of="users"
    usedAt={rows.map(({ last_active_at: time }) => time)}
    lost={rows.reduce((sum, { quota }) => sum + quota, 0)}
  />
);

/** Actions on the chosen users, without those whom the viewer may not manage. */
export default function UserBulkBar({ chosen }: { chosen: ChosenRows<ManagedUser> }) {
  const { t } = useTranslation("bulk", "common");
  const viewer = useCurrentUser();
  const actions: BulkAction<ManagedUser>[] = [
    {
      id: "enable",
      label: t("common:enable"),
      isFor: (user) => mayManage(viewer, user) && user.status !== USER_STATUS.enabled,
      run: manage("enable"),
      back: manage("disable"),
    },
    {
      id: "disable",
      label: t("common:disable"),
      isFor: (user) => mayManage(viewer, user) && user.status === USER_STATUS.enabled,
      run: manage("disable"),
      back: manage("enable"),
    },
    {
      id: "delete",
      label: t("common:delete"),
      isFor: (user) => mayManage(viewer, user),
      run: manage("delete"),
      question: (count) => ({ title: t("users.delete", { count }), message: t("users.deleteMessage") }),
      effectOf,
    },
  ];
  return (
    <RowBulkBar
      label={t("users.label")}
      chosen={chosen}
      nameOf={({ username }) => username}
      actions={actions}
      listKey={USERS_KEY}
    />
  );
}
