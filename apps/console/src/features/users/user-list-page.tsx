import { Button, Select } from "@mantine/core";
import { USER_STATUS } from "@one-api/contract/user";
import type { ManagedUser } from "@one-api/contract/user-management";
import { IconArrowsSort, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ButtonLink } from "../../components/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { type ListSearch, useListSearch } from "../../lib/list/use-list-search.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { useCardScreen } from "../../lib/use-narrow-screen.ts";
import { groupsQuery } from "../channels/channel-queries.ts";
import { editPathOf, useUserActions } from "./user-actions.tsx";
import { userColumns } from "./user-columns.tsx";
import classes from "./user-columns.module.css";
import { readUserFilters, type UserFilters } from "./user-list-search.ts";
import { ROLE_NAMES } from "./user-looks.tsx";
import { useUsers } from "./user-queries.ts";

const UserSheet = lazy(() => import("./sheet/user-sheet.tsx"));

/** Orders that the menu offers beside the server's own; the most comes first. */
const MENU_ORDERS = ["quota", "used_quota", "request_count"] as const;

/** Chooses how the list is sorted; the same as pressing a column's head. */
function OrderSelect({ search }: { search: ListSearch }) {
  const { t } = useTranslation("users");
  const { sort } = search;
  const chosen = sort === undefined ? "default" : (MENU_ORDERS.find((order) => order === sort.columnId) ?? null);
  return (
    <Select
      aria-label={t("order.label")}
      placeholder={t("order.label")}
      className={classes.select ?? ""}
      leftSection={<IconArrowsSort size={16} />}
      data={["default" as const, ...MENU_ORDERS].map((value) => ({ value, label: t(`order.${value}`) }))}
      value={chosen}
      onChange={(value) =>
        search.setSort(value === null || value === "default" ? undefined : { columnId: value, descending: true })
      }
    />
  );
}

const STATUS_NAMES = [
  [USER_STATUS.enabled, "activated"],
  [USER_STATUS.disabled, "banned"],
] as const;

interface FilterProps {
  filters: UserFilters;
  onChange(filters: UserFilters): void;
}

/** An empty choice clears a filter. */
const numberOrNone = (text: string | null) => (text === null ? undefined : Number(text));
const textOrNull = (value: number | undefined) => (value === undefined ? null : String(value));

/** Narrows the list down to a state, a role, a group. */
function UserFilterSelects({ filters, onChange }: FilterProps) {
  const { t } = useTranslation("users");
  const groups = useQuery(groupsQuery);
  const looks = { clearable: true, allowDeselect: true, className: classes.filter ?? "" };
  const { status, role, group } = filters;
  return (
    <>
      <Select
        {...looks}
        aria-label={t("columns.status")}
        placeholder={t("columns.status")}
        data={STATUS_NAMES.map(([value, name]) => ({ value: String(value), label: t(`status.${name}`) }))}
        value={textOrNull(status)}
        onChange={(chosen) => onChange({ ...filters, status: numberOrNone(chosen) })}
      />
      <Select
        {...looks}
        aria-label={t("columns.role")}
        placeholder={t("columns.role")}
        data={ROLE_NAMES.map(([value, name]) => ({ value: String(value), label: t(`role.${name}`) }))}
        value={textOrNull(role)}
        onChange={(chosen) => onChange({ ...filters, role: numberOrNone(chosen) })}
      />
      <Select
        {...looks}
        aria-label={t("columns.group")}
        placeholder={t("columns.group")}
        data={[...new Set(["default", ...(groups.data ?? []), ...(group === undefined ? [] : [group])])]}
        value={group ?? null}
        onChange={(chosen) => onChange({ ...filters, group: chosen ?? undefined })}
      />
    </>
  );
}

/** Everybody's accounts: search, sort, edit, promote, disable; from a row to what its user does. */
export default function UserListPage() {
  const { t, language } = useTranslation("users", "common");
  const search = useListSearch();
  const filters = readUserFilters(useSearch({ strict: false }));
  const setFilters = ({ status, role, group }: UserFilters) => search.setFilters({ status, role, group });
  const list = useUsers(search, filters);
  const viewer = useCurrentUser();
  const [opened, setOpened] = useState<ManagedUser>();
  const actionsOf = useUserActions(setOpened);
  const asCards = useCardScreen();
  const refresh = (
    <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={list.retry}>
      {t("common:refresh")}
    </Button>
  );
  const columns = userColumns({ t, language, editPathOf: (user) => editPathOf(viewer, user) });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={<ButtonLink to="/user/add">{t("addAction")}</ButtonLink>}
        {...(asCards ? { secondaryActions: refresh } : {})}
      />
      <DataList
        id="users"
        label={t("title")}
        list={list}
        search={search}
        columns={columns}
        rowKey={(user) => user.id}
        rowName={(user) => user.username}
        rowActions={actionsOf}
        searchPlaceholder={t("search")}
        filters={
          <>
            <UserFilterSelects filters={filters} onChange={setFilters} />
            <OrderSelect search={search} />
          </>
        }
        isFiltered={Object.values(filters).some((filter) => filter !== undefined)}
        onClearFilters={() => setFilters({})}
        {...(asCards ? {} : { tools: refresh })}
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} />}
      />
      <p className={classes.foot}>
        <TextLink to="/user/add">{t("add")}</TextLink>
      </p>
      <Suspense>{opened !== undefined && <UserSheet user={opened} onClose={() => setOpened(undefined)} />}</Suspense>
    </>
  );
}
