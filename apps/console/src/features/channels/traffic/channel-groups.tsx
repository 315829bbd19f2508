import type { Channel } from "@one-api/contract/channels/channel";
import type { ChannelGroup } from "@one-api/contract/usage/channel-traffic";
import { splitList } from "@one-api/contract/texts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RowGroups } from "../../../components/data-table/data-column.ts";
import { ProviderName } from "../../../components/logos/provider-name.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ChannelFilters, ChannelGrouping } from "../channel-list-search.ts";
import { channelGroupsQuery } from "../channel-queries.ts";
import classes from "./channel-groups.module.css";
import { ErrorRate } from "./traffic-cells.tsx";

function GroupTitle({ name, group }: { name: ReactNode; group: ChannelGroup | undefined }) {
  const { t, language } = useTranslation("channels");
  return (
    <span className={classes.title}>
      <span className={classes.name}>{name}</span>
      {group !== undefined && <span className={classes.count}>{formatInteger(group.channels, language)}</span>}
      {group !== undefined && group.auto_disabled > 0 && (
        <span className={classes.trouble}>{t("groups.autoDisabled", { count: group.auto_disabled })}</span>
      )}
    </span>
  );
}

function GroupSum({ group, column }: { group: ChannelGroup; column: string }) {
  const { language } = useTranslation();
  if (column === "requests") return formatInteger(group.requests, language);
  if (column === "error_rate") return <ErrorRate requests={group.requests} errors={group.errors} />;
  return column === "spend" ? <QuotaText quota={group.quota} /> : null;
}

export function useChannelGroups(
  groupedBy: ChannelGrouping | undefined,
  keyword: string,
  filters: ChannelFilters,
): RowGroups<Channel> | undefined {
  const { t } = useTranslation("channels");
  const { data = [] } = useQuery({
    ...channelGroupsQuery(groupedBy ?? "type", keyword, filters),
    enabled: groupedBy !== undefined,
  });
  if (groupedBy === undefined) return undefined;
  const groups = new Map(data.map((group) => [group.name, group]));
  const nameOf = (key: string) => {
    if (groupedBy === "type") return <ProviderName type={Number(key)} />;
    return key === "" ? t("groups.noTag") : key;
  };
  return {
    keyOf: ({ type, tags }) => (groupedBy === "type" ? String(type) : (splitList(tags)[0] ?? "")),
    title: (key) => <GroupTitle name={nameOf(key)} group={groups.get(key)} />,
    sums: ["requests", "error_rate", "spend"],
    sum: (key, column) => {
      const group = groups.get(key);
      return group === undefined ? null : <GroupSum group={group} column={column} />;
    },
  };
}
