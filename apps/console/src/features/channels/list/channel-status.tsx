import { type Channel, CHANNEL_STATUS } from "@one-api/contract/channel";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { channelStatusLook } from "./channel-status-look.ts";
import classes from "./channel-status.module.css";
import { StatusNote } from "./status-note.tsx";

function SleepingModels({ models }: { models: Channel["sleeping_models"] }) {
  const { t } = useTranslation("channels");
  return (
    <>
      <p className={classes.lead}>{t("status.sleepingHint")}</p>
      <ul className={classes.models}>
        {models.map(({ model, awake_time }) => (
          <li key={model}>
            <span className={classes.model}>{model}</span> <TimeText time={awake_time} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The state of a channel: when it wakes, which of its models sleep, or why it was disabled. */
export function ChannelStatus({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const { name, tone } = channelStatusLook(channel.status);
  const sleeping = channel.sleeping_models;
  const reason = channel.status_reason ?? "";
  const hasWakeTime = channel.status === CHANNEL_STATUS.dormant && channel.awake_time > 0;
  const hasSleeping = channel.status === CHANNEL_STATUS.enabled && sleeping.length > 0;
  const hasReason = channel.status === CHANNEL_STATUS.autoDisabled && reason !== "";
  return (
    <span className={classes.status} data-stacked={hasWakeTime || hasReason || hasSleeping}>
      <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>
      {hasWakeTime && (
        <span className={classes.wakes}>
          {t("status.wakes")} <TimeText time={channel.awake_time} />
        </span>
      )}
      {hasSleeping && (
        <StatusNote label={t("status.sleeping", { count: sleeping.length })}>
          <SleepingModels models={sleeping} />
        </StatusNote>
      )}
      {hasReason && <StatusNote label={t("status.why")}>{reason}</StatusNote>}
    </span>
  );
}
