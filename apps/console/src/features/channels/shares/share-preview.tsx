import { Button, Select } from "@mantine/core";
import type { ChannelShare } from "@one-api/contract/channels/channel-share";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelSharesQuery } from "../channel-queries.ts";
import { ShareList } from "./share-list.tsx";
import classes from "./shares.module.css";

const CHOICES_SHOWN = 100;
const TYPING_PAUSE_MS = 250;

interface Rank {
  readonly priority: number;
  readonly weight: number;
}

/** Returns the least priority and weight with which a channel shares the requests that now all go to others. */
function sharingRank(shares: readonly ChannelShare[], own: ChannelShare): Rank | undefined {
  const serving = shares.filter(({ channel, share }) => share > 0 && channel !== own.channel);
  if (own.share > 0 || serving.length === 0 || !["lower-priority", "no-weight"].includes(own.code)) return undefined;
  const priority = Math.max(...serving.map((one) => one.priority));
  const isWeighted = serving.some((one) => one.priority === priority && one.weight > 0);
  return { priority, weight: isWeighted ? Math.max(1, own.weight) : own.weight };
}

interface RaiseProps {
  own: ChannelShare;
  rank: Rank;
  onRaise(rank: Rank): void;
}

function Raise({ own, rank, onRaise }: RaiseProps) {
  const { t } = useTranslation("channel-shares");
  const change = own.priority === rank.priority ? "weight" : own.weight === rank.weight ? "priority" : "both";
  return (
    <div className={classes.raise} role="status">
      <p className={classes.text}>{t("standby")}</p>
      <Button variant="default" size="xs" onClick={() => onRaise(rank)}>
        {t(`raise.${change}`, { ...rank })}
      </Button>
    </div>
  );
}

interface SharePreviewProps {
  /** 0 for a channel that is not stored yet. */
  channelId: number;
  name: ReactNode;
  models: readonly string[];
  groups: readonly string[];
  priority: number;
  weight: number;
  /** The model that is shown first, if it is one of the models. */
  firstModel?: string | undefined;
  /** Beside the form: without a box of its own. */
  isAside?: boolean;
  onRaise(rank: Rank): void;
}

export function SharePreview(props: SharePreviewProps) {
  const { channelId, name, models, groups, priority, weight, firstModel = "", isAside = false, onRaise } = props;
  const { t } = useTranslation("channel-shares", "channels");
  const [wantedModel, setModel] = useState("");
  const [wantedGroup, setGroup] = useState("");
  const model = [wantedModel, firstModel].find((one) => models.includes(one)) ?? models[0] ?? "";
  const group = groups.includes(wantedGroup) ? wantedGroup : (groups[0] ?? "");
  const [draft] = useDebouncedValue({ channel: channelId, priority, weight }, TYPING_PAUSE_MS);
  const question = { model, group, draft };
  const shares = useQuery(channelSharesQuery(question));
  const own = shares.data?.find(({ channel }) => channel === channelId);
  const rank = own && sharingRank(shares.data ?? [], own);
  if (model === "" || group === "") return <p className={classes.text}>{t("chooseModel")}</p>;
  return (
    <section className={classes.preview} data-aside={isAside} aria-labelledby="share-preview">
      <div className={classes.previewHead}>
        <h2 className={classes.previewTitle} id="share-preview">
          {t("channels:shares.title")}
        </h2>
        <Select
          aria-label={t("model")}
          size="xs"
          searchable
          limit={CHOICES_SHOWN}
          data={models}
          value={model}
          onChange={(chosen) => chosen !== null && setModel(chosen)}
        />
        {groups.length > 1 && (
          <Select
            aria-label={t("group")}
            size="xs"
            data={groups}
            value={group}
            onChange={(chosen) => chosen !== null && setGroup(chosen)}
          />
        )}
      </div>
      <ScrollBox label={t("channels:shares.title")} className={classes.window}>
        <ShareList question={question} channelId={channelId} unnamed={name} />
      </ScrollBox>
      {own !== undefined && rank !== undefined && <Raise own={own} rank={rank} onRaise={onRaise} />}
    </section>
  );
}
