import type { Channel } from "@one-api/contract/channel";
import { channelTypeInfo } from "@one-api/contract/channel-types";
import { splitList } from "@one-api/contract/fields";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import { TextLink } from "../../../components/text-link.tsx";
import type { ChannelTexts } from "../channel-texts.ts";
import { ChannelBalance } from "./channel-balance.tsx";
import classes from "./channel-columns.module.css";
import { ChannelStatus } from "./channel-status.tsx";
import { ChannelTypeName } from "./channel-type-name.tsx";
import { PriorityInput } from "./priority-input.tsx";
import { ResponseTimeBadge } from "./response-time-badge.tsx";
import { TestModelSelect } from "./test-model-select.tsx";
import type { TestModels } from "./use-test-models.ts";

/** Columns that the details button shows. */
export const DETAIL_COLUMNS = ["balance", "test_model"];

function GroupNames({ group }: { group: string }) {
  const names = splitList(group).join(", ");
  return (
    <span className={classes.groups} title={names}>
      {names}
    </span>
  );
}

function nameColumns(t: ChannelTexts): DataColumn<Channel>[] {
  return [
    {
      id: "id",
      header: t("columns.id"),
      cell: (channel) => <span className={classes.id}>{channel.id}</span>,
      sortBy: (channel) => channel.id,
    },
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: (channel) => (
        <TextLink
          className={classes.name ?? ""}
          to="/channel/edit/$id"
          params={{ id: channel.id }}
          title={channel.name}
          inherit
        >
          {channel.name}
        </TextLink>
      ),
      sortBy: (channel) => channel.name,
    },
    {
      id: "group",
      header: t("columns.group"),
      cell: (channel) => <GroupNames group={channel.group} />,
      sortBy: (channel) => channel.group,
    },
    {
      id: "type",
      header: t("columns.type"),
      cell: (channel) => <ChannelTypeName type={channel.type} />,
      sortBy: (channel) => channelTypeInfo(channel.type)?.label ?? "",
    },
  ];
}

function stateColumns(t: ChannelTexts): DataColumn<Channel>[] {
  return [
    {
      id: "status",
      header: t("columns.status"),
      card: "badge",
      cell: (channel) => <ChannelStatus channel={channel} />,
      sortBy: (channel) => channel.status,
    },
    {
      id: "response_time",
      header: t("columns.responseTime"),
      align: "right",
      cell: (channel) => <ResponseTimeBadge responseTimeMs={channel.response_time} />,
      sortBy: (channel) => channel.response_time,
    },
  ];
}

function detailColumns(t: ChannelTexts, testModels: TestModels): DataColumn<Channel>[] {
  return [
    {
      id: "balance",
      header: t("columns.balance"),
      align: "right",
      hint: t("balance.hint"),
      cell: (channel) => <ChannelBalance channel={channel} />,
      sortBy: (channel) => channel.balance,
    },
    {
      id: "test_model",
      header: t("columns.testModel"),
      card: "wide",
      hint: t("testModelHint"),
      cell: (channel) => (
        <TestModelSelect
          channel={channel}
          model={testModels.modelOf(channel.id)}
          onChoose={(model) => testModels.choose(channel.id, model)}
        />
      ),
    },
  ];
}

function priorityColumn(t: ChannelTexts): DataColumn<Channel> {
  return {
    id: "priority",
    header: t("columns.priority"),
    align: "right",
    hint: t("priorityHint"),
    cell: (channel) => <PriorityInput key={channel.priority} channel={channel} />,
    sortBy: (channel) => channel.priority,
  };
}

/** The columns of the channel list. */
export function channelColumns(t: ChannelTexts, testModels: TestModels): DataColumn<Channel>[] {
  return [...nameColumns(t), ...stateColumns(t), ...detailColumns(t, testModels), priorityColumn(t)];
}
