import { Button } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { splitList } from "@one-api/contract/texts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Card } from "../../components/boxes/card.tsx";
import { type Fact, Facts } from "../../components/boxes/facts.tsx";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { type RowAction, useRunAction } from "../../components/data-table/rows/row-action.ts";
import { ActionSheet, RowActions } from "../../components/data-table/rows/row-actions.tsx";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { choiceOf } from "../../lib/values/read-values.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import classes from "./channel-page.module.css";
import { channelQuery } from "../channels/channel-queries.ts";
import { ChannelBalance } from "../channels/list/channel-balance.tsx";
import { ChannelStatus } from "../channels/list/channel-status.tsx";
import { TestResult } from "../channels/list/test-result.tsx";
import { useChannelActions } from "../channels/list/use-channel-actions.tsx";
import { DecisionsCard } from "./decisions-card.tsx";
import { KeysCard } from "./keys-card.tsx";
import { SpendingCard } from "./spending-card.tsx";
import { TrafficCards } from "./traffic-cards.tsx";

function Summary({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channel-page", "channels");
  const tags = splitList(channel.tags);
  const facts: (Fact | false)[] = [
    { label: t("channels:columns.group"), value: splitList(channel.group).join(", ") },
    { label: t("routing"), value: t("routingOf", { priority: channel.priority, weight: channel.weight }) },
    tags.length > 0 && {
      label: t("channels:columns.tags"),
      value: (
        <span>
          {tags.map((tag) => (
            <TextLink key={tag} className={classes.tag ?? ""} to="/channel" search={{ tag }} inherit>
              {tag}
            </TextLink>
          ))}
        </span>
      ),
    },
    // With a limit, its card shows the spend.
    channel.soft_limit_usd === 0 && { label: t("spentInAll"), value: <QuotaText quota={channel.used_quota} /> },
    { label: t("channels:columns.responseTime"), value: <TestResult channel={channel} /> },
    { label: t("channels:columns.balance"), value: <ChannelBalance channel={channel} /> },
    channel.base_url !== "" && { label: t("address"), value: channel.base_url, isWide: true },
  ];
  return (
    <Card>
      <Facts layout="row" facts={facts} />
    </Card>
  );
}

/** The actions of a row: those that have buttons there have named ones here, the others are behind the three dots. */
function HeadActions({ actions }: { actions: readonly RowAction[] }) {
  const run = useRunAction();
  const isInMenu = ({ placement }: RowAction) => placement === "menu";
  return (
    <>
      {actions
        .filter((action) => !isInMenu(action))
        .map((action) => (
          <Button
            key={action.id}
            variant="default"
            leftSection={action.icon}
            loading={action.busy === true}
            onClick={() => run(action)}
          >
            {action.label}
          </Button>
        ))}
      <RowActions actions={actions.filter(isInMenu)} />
    </>
  );
}

function ChannelView({ channel }: { channel: Channel }) {
  const { t, language } = useTranslation("channel-page", "channels", "common");
  const navigate = useNavigate();
  const { actionsOf, dialogs } = useChannelActions({ onDeleted: () => void navigate({ to: "/channel" }) });
  const asCards = useCardScreen();
  const { range: wanted } = useSearch({ strict: false });
  const range = choiceOf(wanted, ["week", "month"]) ?? "day";
  const { id, name, type } = channel;
  const actions = actionsOf(channel).filter(({ id: action }) => action !== "edit" && action !== "details");
  const label = channelTypeLabel(type, language) ?? String(type);
  return (
    <>
      <PageHeader
        isDense
        title={name}
        description={
          <span className={classes.head}>
            <ChannelStatus channel={channel} />
            {t("description", { type: label, id })}
          </span>
        }
        back={<TextLink to="/channel">{t("back")}</TextLink>}
        primaryAction={
          <ButtonLink to="/channel/edit/$id" params={{ id }} aria-keyshortcuts="e">
            {t("common:edit")}
          </ButtonLink>
        }
        secondaryActions={asCards ? <ActionSheet actions={actions} title={name} /> : <HeadActions actions={actions} />}
      />
      <div className={classes.cards}>
        {!asCards && <Summary channel={channel} />}
        <TrafficCards channel={channel} range={range} />
        {asCards && <Summary channel={channel} />}
        {channel.soft_limit_usd > 0 && <SpendingCard channel={channel} />}
        <KeysCard channel={channel} />
        <DecisionsCard channelId={id} />
      </div>
      {dialogs}
    </>
  );
}

function StoredChannel({ id }: { id: number }) {
  const { t } = useTranslation("channels");
  const channel = useQuery(channelQuery(id));
  if (channel.data !== undefined) return <ChannelView channel={channel.data} />;
  if (channel.error === null) return <LoadingPlaceholder prompt={t("one")} />;
  return (
    <FormLoadError
      title={t("title")}
      backPath="/channel"
      error={channel.error}
      onRetry={() => void channel.refetch()}
    />
  );
}

export default function ChannelPage() {
  const id = useRowId();
  return id === undefined ? null : <StoredChannel key={id} id={id} />;
}
