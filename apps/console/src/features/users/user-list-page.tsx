import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { useChosenRows } from "../../components/bulk/use-chosen-rows.ts";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { FilterSelect, NameFilterSelect, OrderSelect } from "../../components/data-table/controls/list-selects.tsx";
import { RefreshButton } from "../../components/data-table/controls/refresh-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { NumbersProblem } from "../../components/load-problem.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { laterPart } from "../../lib/loading/later-part.ts";
import { type ListSearch, useListSearch } from "../../lib/list/use-list-search.ts";
import { useWideScreen } from "../../lib/browser/use-narrow-screen.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { groupsQuery } from "../channels/channel-queries.ts";
import { ViewsButton } from "../views/views-button.tsx";
import { pagePathOf, useUserActions } from "./user-actions.tsx";
import { userColumns } from "./user-columns.tsx";
import classes from "./user-columns.module.css";
import { readUserFilters, readUserView, type UserFilters } from "./user-list-search.ts";
import { ROLE_NAMES } from "./user-looks.tsx";
import { useSpendOf, useUsers } from "./user-queries.ts";

const UserBulkBar = laterPart(() => import("./user-bulk-bar.tsx"), ["bulk"]);

const MENU_ORDERS = ["quota", "used_quota", "request_count"] as const;

const STATUS_NAMES = [
  [USER_STATUS.enabled, "activated"],
  [USER_STATUS.disabled, "banned"],
] as const;

function UserListHeader() {
  const { t } = useTranslation("users");
  return (
    <PageHeader
      title={t("title")}
      description={t("description")}
      primaryAction={
        <ButtonLink to="/user/add" aria-keyshortcuts="c">
          {t("addAction")}
        </ButtonLink>
      }
      secondaryActions={
        <ButtonLink to="/user/invitation" variant="default">
          {t("invitations")}
        </ButtonLink>
      }
    />
  );
}

interface ToolsProps {
  search: ListSearch;
  filters: UserFilters;
  onChange(filters: UserFilters): void;
}

function UserFilterSelects({ search, filters, onChange }: ToolsProps) {
  const { t } = useTranslation("users");
  const groups = useQuery(groupsQuery);
  const { status, role, group } = filters;
  return (
    <>
      <FilterSelect
        label={t("columns.status")}
        choices={STATUS_NAMES.map(([value, name]) => [value, t(`status.${name}`)])}
        value={status}
        onChange={(chosen) => onChange({ ...filters, status: chosen })}
      />
      <FilterSelect
        label={t("columns.role")}
        choices={ROLE_NAMES.map(([value, name]) => [value, t(`role.${name}`)])}
        value={role}
        onChange={(chosen) => onChange({ ...filters, role: chosen })}
      />
      <NameFilterSelect
        label={t("columns.group")}
        names={["default", ...(groups.data ?? [])]}
        value={group}
        onChange={(chosen) => onChange({ ...filters, group: chosen })}
      />
      <OrderSelect
        search={search}
        label={t("order.label")}
        defaultLabel={t("order.default")}
        orders={MENU_ORDERS.map((columnId) => ({ columnId, label: t(`order.${columnId}`) }))}
      />
    </>
  );
}

const countOf = (filters: UserFilters) => Object.values(filters).filter((filter) => filter !== undefined).length;

/** No budgets, or no log store: no column. */
function hiddenColumns(users: readonly ManagedUser[], isSpendUnknown: boolean): string[] {
  return [...(users.some(({ budget }) => budget) ? [] : ["budget"]), ...(isSpendUnknown ? ["spend_month"] : [])];
}

export default function UserListPage() {
  const { t, language } = useTranslation("users", "budgets", "common");
  const search = useListSearch();
  const filters = readUserFilters(useSearch({ strict: false }));
  const setFilters = ({ status, role, group }: UserFilters) => search.setFilters({ status, role, group });
  const list = useUsers(search, filters);
  const chosen = useChosenRows(list);
  const viewer = useCurrentUser();
  const router = useRouter();
  const pathOf = (user: Parameters<typeof pagePathOf>[1]) => pagePathOf(viewer, user);
  const spend = useSpendOf(list.rows);
  const columns = userColumns({ t, language, pagePathOf: pathOf, isWide: useWideScreen(), spend: spend.data });
  const actionsOf = useUserActions();
  return (
    <>
      <UserListHeader />
      <NumbersProblem of={t("columns.spendMonth")} query={spend} />
      <DataList
        id="users"
        label={t("title")}
        list={list}
        search={search}
        columns={columns}
        rowKey={(user) => user.id}
        hiddenColumns={hiddenColumns(list.rows, spend.isError)}
        rowName={(user) => user.username}
        rowActions={actionsOf}
        onOpenRow={(user) => {
          const path = pathOf(user);
          if (path !== undefined) router.history.push(path);
        }}
        selection={chosen.selection}
        searchPlaceholder={t("search")}
        filters={<UserFilterSelects search={search} filters={filters} onChange={setFilters} />}
        filterCount={countOf(filters)}
        views={<ViewsButton page="users" read={readUserView} />}
        isFiltered={countOf(filters) > 0}
        onClearFilters={() => setFilters({})}
        tools={<RefreshButton onRefresh={list.retry} />}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
      />
      <UserBulkBar timesWanted={chosen.rows.length} instead={null} props={{ chosen }} />
      <p className={classes.foot}>
        <TextLink to="/user/add">{t("add")}</TextLink>
      </p>
    </>
  );
}
