import { TextInput } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { channelTypeInfo, channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import { idColumn } from "../../../components/data-table/rows/id-column.tsx";
import { Select } from "../../../components/floating/select.tsx";
import { ProviderName } from "../../../components/logos/provider-name.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useSetChannelPriority } from "../channel-mutations.ts";
import { ChannelBalance } from "./channel-balance.tsx";
import { integerOf } from "../../../lib/values/read-values.ts";
import classes from "./channel-columns.module.css";
import { DaysLeft } from "../traffic/traffic-cells.tsx";
import { trafficColumns } from "../traffic/traffic-columns.tsx";
import { ChannelStatus } from "./channel-status.tsx";
import { TestResult } from "./test-result.tsx";
import type { TestModels } from "./use-channel-tests.ts";

type ChannelTexts = Translate<"channels" | "common">;

function ChannelTypeName({ type }: { type: number }) {
  const { language } = useTranslation();
  const colour = channelTypeInfo(type)?.colour ?? "gray";
  return (
    <span
      className={classes.type}
      title={channelTypeLabel(type, language)}
      style={{ borderColor: `var(--mantine-color-${colour}-6)` }}
    >
      <ProviderName type={type} />
    </span>
  );
}

/** A channel's priority, saved when the field is left; an empty field leaves it as it was. */
function PriorityInput({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels", "common");
  const save = useSetChannelPriority();
  const [text, setText] = useState(String(channel.priority));
  const leave = () => {
    const typed = integerOf(text.replace("−", "-"));
    if (typed === undefined) return setText(String(channel.priority));
    const value = Math.max(CHANNEL_LIMITS.lowestPriority, Math.min(typed, CHANNEL_LIMITS.priority));
    setText(String(value));
    if (value === channel.priority) return;
    const before = channel.priority;
    const undo = () => save.mutate({ id: channel.id, priority: before });
    // The row shows the new number at once in a new field, so this one must not be used afterwards.
    void save.mutateAsync({ id: channel.id, priority: value }).then(
      () =>
        toastSuccess(t("done.priority", { name: channel.name, priority: value }), {
          label: t("undo"),
          onSelect: undo,
        }),
      // Why it failed is shown by the central toast of failed calls.
      () => setText(String(before)),
    );
  };
  return (
    <TextInput
      aria-label={t("priorityOf", { name: channel.name })}
      className={classes.priority ?? ""}
      size="xs"
      inputMode="numeric"
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        // Accepts only beginnings of whole numbers.
        if (/^[-−]?\d*$/.test(next.trim())) setText(next.trim());
      }}
      onBlur={leave}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

const MODELS_SHOWN = 100;

interface TestModelSelectProps {
  channel: Channel;
  model: string;
  onChoose(model: string): void;
}

function TestModelSelect({ channel, model, onChoose }: TestModelSelectProps) {
  const { t } = useTranslation("channels");
  const models = splitList(channel.models);
  if (models.length === 0) return <span>–</span>;
  return (
    <Select
      aria-label={t("testModelOf", { name: channel.name })}
      size="xs"
      className={classes.model ?? ""}
      searchable
      limit={MODELS_SHOWN}
      listWidth={280}
      data={models}
      value={models.includes(model) ? model : (models[0] ?? null)}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
    />
  );
}

export const DETAIL_COLUMNS = ["balance", "test_model"];

function GroupNames({ group }: { group: string }) {
  return <span className={classes.groups}>{splitList(group).join(", ")}</span>;
}

function TagLinks({ tags }: { tags: string }) {
  return (
    <span className={classes.tags}>
      {splitList(tags).map((tag) => (
        <TextLink key={tag} className={classes.tag ?? ""} to="/channel" search={{ tag }} title={tag} inherit>
          {tag}
        </TextLink>
      ))}
    </span>
  );
}

function nameColumns(t: ChannelTexts): DataColumn<Channel>[] {
  return [
    idColumn(t("columns.id")),
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: (channel) => (
        <TextLink className={classes.name ?? ""} to="/channel/$id" params={{ id: channel.id }} inherit>
          {channel.name}
        </TextLink>
      ),
      isSortable: true,
    },
    {
      id: "group",
      priority: 3,
      card: "third",
      header: t("columns.group"),
      cell: (channel) => <GroupNames group={channel.group} />,
      isSortable: true,
    },
    {
      id: "tags",
      priority: 3,
      header: t("columns.tags"),
      card: "wide",
      cell: (channel) => <TagLinks tags={channel.tags} />,
    },
    {
      id: "type",
      card: "third",
      header: t("columns.type"),
      cell: (channel) => <ChannelTypeName type={channel.type} />,
      isSortable: true,
    },
  ];
}

function statusColumn(t: ChannelTexts): DataColumn<Channel> {
  return {
    id: "status",
    header: t("columns.status"),
    card: "badge",
    cell: (channel) => <ChannelStatus channel={channel} />,
    isSortable: true,
  };
}

function responseTimeColumn(t: ChannelTexts): DataColumn<Channel> {
  return {
    id: "response_time",
    priority: 2,
    card: "third",
    header: t("columns.responseTime"),
    align: "right",
    cell: (channel) => <TestResult channel={channel} />,
    isSortable: true,
  };
}

function detailColumns(t: ChannelTexts, testModels: TestModels): DataColumn<Channel>[] {
  return [
    {
      id: "balance",
      header: t("columns.balance"),
      align: "right",
      hint: t("balance.hint"),
      cell: (channel) => (
        <>
          <ChannelBalance channel={channel} />
          <DaysLeft channel={channel} />
        </>
      ),
      isSortable: true,
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
    priority: 2,
    card: "third",
    header: t("columns.priority"),
    align: "right",
    hint: t("priorityHint"),
    cell: (channel) => <PriorityInput key={channel.priority} channel={channel} />,
    isSortable: true,
  };
}

export function channelColumns(t: ChannelTexts, testModels: TestModels): DataColumn<Channel>[] {
  return [
    ...nameColumns(t),
    statusColumn(t),
    ...trafficColumns(t),
    responseTimeColumn(t),
    ...detailColumns(t, testModels),
    priorityColumn(t),
  ];
}
