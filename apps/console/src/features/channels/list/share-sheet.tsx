import { Drawer, Select } from "@mantine/core";
import type { Channel } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { useCardScreen } from "../../../lib/use-narrow-screen.ts";
import { channelSharesQuery } from "../channel-queries.ts";
import classes from "./share-sheet.module.css";

interface ShareListProps {
  model: string;
  group: string;
  /** The channel that the sheet was opened for; it stands out. */
  channelId: number;
}

/** Every channel of the model in the group: its share as a bar and a figure, and why it gets none. */
export function ShareList({ model, group, channelId }: ShareListProps) {
  const { t, i18n } = useTranslation("channels");
  const shares = useQuery(channelSharesQuery(model, group));
  if (shares.error !== null) return <ListError error={shares.error} onRetry={() => void shares.refetch()} />;
  if (shares.data === undefined) return <LoadingPlaceholder prompt={t("shares.title")} />;
  if (shares.data.length === 0) return <EmptyState title={t("shares.none")} />;
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  return (
    <ul className={classes.shares} aria-label={t("shares.title")}>
      {shares.data.map(({ channel, name, priority, weight, share, reason }) => (
        <li key={channel} className={classes.share} data-own={channel === channelId}>
          <span className={classes.name}>{name}</span>
          <span className={classes.percent}>{percent.format(share)}</span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.bar} style={{ width: `${share * 100}%` }} />
          </span>
          <span className={classes.facts}>
            {t("shares.facts", { priority, weight })}
            {reason !== "" && ` · ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const CHOICES_SHOWN = 100;

function ShareChooser({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const models = splitList(channel.models);
  const groups = splitList(channel.group);
  const [model, setModel] = useState(models[0] ?? "");
  const [group, setGroup] = useState(groups[0] ?? "default");
  return (
    <div className={classes.sheet}>
      <p className={classes.text}>{t("shares.text")}</p>
      <div className={classes.choice}>
        <Select
          label={t("shares.model")}
          searchable
          limit={CHOICES_SHOWN}
          data={models}
          value={model}
          onChange={(chosen) => chosen !== null && setModel(chosen)}
        />
        <Select
          label={t("shares.group")}
          data={groups}
          value={group}
          onChange={(chosen) => chosen !== null && setGroup(chosen)}
        />
      </div>
      <ShareList model={model} group={group} channelId={channel.id} />
    </div>
  );
}

/** A sheet with the share of requests that each channel gets for a model of the channel. */
export function ShareSheet({ channel, onClose }: { channel: Channel | undefined; onClose(): void }) {
  const { t } = useTranslation(["channels", "common"]);
  const isNarrow = useCardScreen();
  return (
    <Drawer
      opened={channel !== undefined}
      onClose={onClose}
      position={isNarrow ? "bottom" : "right"}
      size={isNarrow ? "85%" : 440}
      title={t("shares.title")}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      {channel !== undefined && <ShareChooser key={channel.id} channel={channel} />}
    </Drawer>
  );
}
