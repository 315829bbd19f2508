import { Button } from "@mantine/core";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { ActionSheet, RowActions } from "../../components/data-table/rows/row-actions.tsx";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { spaceAfter } from "../../lib/values/space-after.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import { SpendCard } from "../dashboard/chart/spend-card.tsx";
import { mayManage, useUserActions } from "../users/user-actions.tsx";
import { UserGroups, UserRole, UserStatus } from "../users/user-looks.tsx";
import { userQuery } from "../users/user-queries.ts";
import { AccountCard } from "./account-card.tsx";
import { RequestsCard } from "./requests-card.tsx";
import { TokensCard } from "./tokens-card.tsx";
import { TopUpsCard } from "./top-ups-card.tsx";
import { UserTotals } from "./user-totals.tsx";
import classes from "./user-page.module.css";

const AddBalanceDialog = lazyPart(() => import("./add-balance-dialog.tsx"), ["refusals"]);
const AuditCard = lazyPart(() => import("./audit-card.tsx"), ["audit", "channels", "redemptions"]);

function Identity({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  const names = [user.username, t("id", { id: user.id }), user.email].filter((name) => name !== "");
  return (
    <span className={classes.identity} data-facts>
      <UserStatus status={user.status} />
      <UserRole role={user.role} />
      <UserGroups group={user.group} />
      <span>{names.join(" · ")}</span>
      <span>
        {t("lastActive") + spaceAfter(t("lastActive"))}
        <RelativeTime time={user.last_active_at} never={t("never")} />
      </span>
    </span>
  );
}

function UserHeader({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page", "users", "common");
  const navigate = useNavigate();
  const viewer = useCurrentUser();
  const [isAdding, setAdding] = useState(false);
  const actionsOf = useUserActions(() => void navigate({ to: "/user" }));
  const asCards = useCardScreen();
  const { id, username } = user;
  const actions = actionsOf(user).filter((action) => action.id !== "edit" && action.id !== "details");
  return (
    <>
      <PageHeader
        title={user.display_name || username}
        description={<Identity user={user} />}
        back={<TextLink to="/user">{t("users:title")}</TextLink>}
        primaryAction={
          <Button
            leftSection={<IconPlus size={16} />}
            disabled={!mayManage(viewer, user)}
            onClick={() => setAdding(true)}
          >
            {t("add.action")}
          </Button>
        }
        secondaryActions={
          <>
            {asCards ? <ActionSheet actions={actions} title={username} /> : <RowActions actions={actions} />}
            <ButtonLink to="/user/edit/$id" params={{ id }} variant="default" aria-keyshortcuts="e">
              {t("common:edit")}
            </ButtonLink>
          </>
        }
      />
      {isAdding && <AddBalanceDialog user={user} onClose={() => setAdding(false)} />}
    </>
  );
}

function UserView({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  return (
    <>
      <UserHeader user={user} />
      <div className={classes.cards}>
        <UserTotals user={user} />
        <div className={classes.columns}>
          <SpendCard title={t("spend")} user={user} />
          <div className={classes.side}>
            <TokensCard user={user} />
            <AccountCard user={user} />
            <TopUpsCard user={user} />
            <AuditCard user={user} />
          </div>
          <RequestsCard user={user} />
        </div>
      </div>
    </>
  );
}

function StoredUser({ id }: { id: number }) {
  const { t } = useTranslation("users");
  const user = useQuery(userQuery(id));
  if (user.data !== undefined) return <UserView user={user.data} />;
  if (user.error === null) return <LoadingPlaceholder prompt={t("one")} />;
  return <FormLoadError title={t("title")} backPath="/user" error={user.error} onRetry={() => void user.refetch()} />;
}

export default function UserPage() {
  const id = useRowId();
  return id === undefined ? null : <StoredUser key={id} id={id} />;
}
