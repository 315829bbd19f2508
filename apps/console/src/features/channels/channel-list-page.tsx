import { useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { laterPart } from "../../lib/loading/later-part.ts";
import { type ListSearch, useListSearch } from "../../lib/list/use-list-search.ts";
import {
  type ChannelFilters,
  type ChannelGrouping,
  readChannelFilters,
  readChannelView,
  readGrouping,
} from "./channel-list-search.ts";
import { ViewsButton } from "../views/views-button.tsx";
import { useChannels } from "./channel-queries.ts";
import classes from "./list/channel-columns.module.css";
import { channelColumns, DETAIL_COLUMNS } from "./list/channel-columns.tsx";
import { ChannelFilterFields } from "./list/channel-filters.tsx";
import { ChannelListTools, useChannelDetails } from "./list/channel-list-tools.tsx";
import { useChannelActions } from "./list/use-channel-actions.tsx";
import { useChannelSelection } from "./list/use-channel-selection.ts";
import { useTestModels } from "./list/use-channel-tests.ts";
import { MassButtons } from "./mass/mass-buttons.tsx";
import { ArrangeButton } from "./traffic/arrange-button.tsx";
import { useChannelGroups } from "./traffic/channel-groups.tsx";
import { DayTrafficProblem, DayTrafficProvider } from "./traffic/day-traffic.tsx";

const BulkBar = laterPart(() => import("./bulk/bulk-bar.tsx"), ["channel-bulk", "bulk"]);
const TestProgress = laterPart(() => import("./list/test-progress.tsx"));

function ChannelListHead() {
  const { t } = useTranslation("channels");
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={
          <ButtonLink to="/channel/add" aria-keyshortcuts="c">
            {t("add")}
          </ButtonLink>
        }
        secondaryActions={<MassButtons />}
        isDense
      />
      <TestProgress timesWanted={0} instead={null} props={{}} />
      <DayTrafficProblem />
    </>
  );
}

function NoChannelsYet() {
  const { t } = useTranslation("channels");
  return (
    <EmptyState
      title={t("empty.title")}
      text={t("empty.text")}
      action={
        <ButtonLink to="/channel/add" variant="default">
          {t("empty.action")}
        </ButtonLink>
      }
    />
  );
}

interface ListFiltersProps {
  search: ListSearch;
  filters: ChannelFilters;
  groupedBy: ChannelGrouping | undefined;
  onChange(filters: ChannelFilters): void;
}

function ListFilters({ search, filters, groupedBy, onChange }: ListFiltersProps) {
  return (
    <>
      <ChannelFilterFields filters={filters} onChange={onChange} />
      <ArrangeButton search={search} groupedBy={groupedBy} />
    </>
  );
}

function useChannelList() {
  const search = useListSearch();
  const filters = readChannelFilters(useSearch({ strict: false }));
  const groupedBy = readGrouping(useSearch({ strict: false }));
  const setFilters = ({ status, type, group, tag }: ChannelFilters) => search.setFilters({ status, type, group, tag });
  const list = useChannels(search, filters, groupedBy);
  const groups = useChannelGroups(groupedBy, search.keyword, filters);
  const filterCount = Object.values(filters).filter((filter) => filter !== undefined).length;
  return { search, filters, filterCount, groupedBy, setFilters, list, groups };
}

export default function ChannelListPage() {
  const { t } = useTranslation("channels", "common");
  const { search, filters, filterCount, groupedBy, setFilters, list, groups } = useChannelList();
  const details = useChannelDetails();
  const testModels = useTestModels();
  const { actionsOf, dialogs } = useChannelActions(testModels);
  const selection = useChannelSelection(search.keyword, filters, list.rows);
  const hasTags = list.rows.some(({ tags }) => tags !== "");
  const { selected, onChange: onSelect } = selection;
  return (
    <DayTrafficProvider>
      <ChannelListHead />
      <div className={classes.list}>
        <DataList
          id="channels"
          label={t("title")}
          list={list}
          search={search}
          columns={channelColumns(t, testModels)}
          hiddenColumns={[...(details.isShown ? [] : DETAIL_COLUMNS), ...(hasTags ? [] : ["tags"])]}
          rowKey={(channel) => channel.id}
          rowName={(channel) => channel.name}
          rowActions={actionsOf}
          groups={groups}
          selection={selection}
          searchPlaceholder={t("search")}
          filters={<ListFilters search={search} filters={filters} groupedBy={groupedBy} onChange={setFilters} />}
          filterCount={filterCount}
          views={<ViewsButton page="channels" read={readChannelView} />}
          isFiltered={filterCount > 0}
          onClearFilters={() => setFilters({})}
          tools={
            <ChannelListTools hasDetails={details.isShown} onToggleDetails={details.toggle} onRefresh={list.retry} />
          }
          empty={<NoChannelsYet />}
        />
      </div>
      <BulkBar
        timesWanted={selected.size}
        instead={null}
        props={{ selected, total: list.total, keyword: search.keyword, filters, onSelect }}
      />
      {dialogs}
    </DayTrafficProvider>
  );
}
