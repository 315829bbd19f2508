import { DELIVERY_STATES } from "@one-api/contract/notifications/delivery-states";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { FilterSelect } from "../../../components/data-table/controls/list-selects.tsx";
import { RefreshButton } from "../../../components/data-table/controls/refresh-button.tsx";
import { DataList } from "../../../components/data-table/data-list.tsx";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatTime } from "../../../lib/format.ts";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useListRows } from "../../../lib/list/use-list-rows.ts";
import { useListSearch } from "../../../lib/list/use-list-search.ts";
import { allReceiversQuery } from "../receivers/receiver-list.ts";
import { RootOnly } from "../root-only.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import { deliveryList } from "./delivery-list.ts";
import { readDeliveryFilters } from "./delivery-list-search.ts";

/** Leads to what sends a first message. */
function NoDeliveries({ hasReceivers }: { hasReceivers: boolean }) {
  const { t } = useTranslation("notifications");
  const action = hasReceivers ? (
    <ButtonLink to="/notifications" variant="default">
      {t("deliveries.empty.action")}
    </ButtonLink>
  ) : (
    <ButtonLink to="/notifications/add">{t("add")}</ButtonLink>
  );
  return <EmptyState title={t("deliveries.empty.title")} text={t("deliveries.empty.text")} action={action} />;
}

function DeliveryList() {
  const { t } = useTranslation("notifications");
  const search = useListSearch();
  const filters = readDeliveryFilters(useSearch({ strict: false }));
  const list = useListRows(deliveryList(filters), search);
  const asCards = useCardScreen();
  const refresh = <RefreshButton onRefresh={list.retry} />;
  const { data: receivers = [] } = useQuery(allReceiversQuery);
  const names = new Map(receivers.map(({ id, name }) => [id, name]));
  return (
    <>
      <PageHeader
        back={<TextLink to="/notifications">{t("title")}</TextLink>}
        title={t("deliveries.title")}
        description={t("deliveries.description")}
        secondaryActions={asCards && refresh}
        isDense
      />
      <DataList
        id="deliveries"
        label={t("deliveries.title")}
        list={list}
        search={search}
        columns={deliveryColumns({ t, names, asCards })}
        rowKey={({ id }) => id}
        rowName={({ created_at }) => formatTime(created_at)}
        filters={
          <>
            <FilterSelect
              label={t("columns.receiver")}
              choices={receivers.map(({ id, name }) => [id, name] as const)}
              value={filters.receiver}
              onChange={(receiver) => search.setFilters({ receiver })}
            />
            <FilterSelect
              label={t("columns.state")}
              choices={DELIVERY_STATES.map((name, index) => [index, t(`states.${name}`)] as const)}
              value={filters.status === undefined ? undefined : DELIVERY_STATES.indexOf(filters.status)}
              onChange={(index) => search.setFilters({ status: DELIVERY_STATES[index ?? -1] })}
            />
          </>
        }
        isFiltered={filters.receiver !== undefined || filters.status !== undefined}
        onClearFilters={() => search.setFilters({ receiver: undefined, status: undefined })}
        {...(asCards ? {} : { tools: refresh })}
        empty={<NoDeliveries hasReceivers={receivers.length > 0} />}
      />
    </>
  );
}

export default function DeliveryListPage() {
  return (
    <RootOnly>
      <DeliveryList />
    </RootOnly>
  );
}
