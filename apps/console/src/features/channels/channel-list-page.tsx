import { type Channel, listChannels, searchChannels } from "@one-api/contract/channel";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/button-link.tsx";
import { DataList } from "../../components/data-table/data-list.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { callApiList } from "../../lib/api-client.ts";
import { useListRows } from "../../lib/use-list-rows.ts";
import { useListSearch } from "../../lib/use-list-search.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";
import { channelColumns, DETAIL_COLUMNS } from "./list/channel-columns.tsx";
import { ChannelListButtons, ChannelListTools, useChannelDetails } from "./list/channel-list-tools.tsx";
import { ShareSheet } from "./list/share-sheet.tsx";
import { useChannelActions } from "./list/use-channel-actions.tsx";
import { useChannelTests, useTestModels } from "./list/use-channel-tests.ts";

/** Channels: search, test, switch, order by priority. */
export default function ChannelListPage() {
  const { t } = useTranslation(["channels", "common"]);
  const search = useListSearch();
  const list = useListRows<Channel>({
    queryKey: CHANNEL_LIST_KEY,
    search,
    fetchPage: (query, signal) => callApiList(listChannels, { query, signal }),
    searchRows: (query, signal) => callApiList(searchChannels, { query, signal }),
  });
  const details = useChannelDetails();
  const testModels = useTestModels();
  const tests = useChannelTests(testModels);
  const [shared, setShared] = useState<Channel>();
  const actionsOf = useChannelActions({ tests, onShowShares: setShared });
  const addButton = <ButtonLink to="/channel/add">{t("add")}</ButtonLink>;
  const firstButton = (
    <ButtonLink to="/channel/add" variant="default">
      {t("empty.action")}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        primaryAction={addButton}
        secondaryActions={<ChannelListButtons />}
      />
      <DataList
        id="channels"
        label={t("title")}
        list={list}
        search={search}
        columns={channelColumns(t, testModels)}
        hiddenColumns={details.isShown ? [] : DETAIL_COLUMNS}
        rowKey={(channel) => channel.id}
        rowName={(channel) => channel.name}
        rowActions={actionsOf}
        searchPlaceholder={t("search")}
        tools={
          <ChannelListTools hasDetails={details.isShown} onToggleDetails={details.toggle} onRefresh={list.retry} />
        }
        empty={<EmptyState title={t("empty.title")} text={t("empty.text")} action={firstButton} />}
      />
      <ShareSheet channel={shared} onClose={() => setShared(undefined)} />
    </>
  );
}
