import { UnstyledButton } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ReactNode } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import classes from "./channel-status.module.css";

const HintDetails = lazyPart(() => import("./hint-details.tsx"), ["channel-reasons"]);

type ChannelStatusName = keyof typeof CHANNEL_STATUS | "paused" | "unknown";

interface StatusLook {
  readonly name: ChannelStatusName;
  readonly tone: StatusTone;
}

const looks = new Map<number, StatusLook>([
  [CHANNEL_STATUS.enabled, { name: "enabled", tone: "good" }],
  [CHANNEL_STATUS.disabled, { name: "disabled", tone: "neutral" }],
  [CHANNEL_STATUS.autoDisabled, { name: "autoDisabled", tone: "danger" }],
  [CHANNEL_STATUS.dormant, { name: "dormant", tone: "warning" }],
  [CHANNEL_STATUS.reserve, { name: "reserve", tone: "info" }],
]);

const PAUSED: StatusLook = { name: "paused", tone: "info" };

function channelStatusLook({ status, paused_until: pausedUntil }: Channel): StatusLook {
  if (status === CHANNEL_STATUS.dormant && pausedUntil > 0) return PAUSED;
  return looks.get(status) ?? { name: "unknown", tone: "neutral" };
}

function StatusNote({ label, tone, children }: { label: string; tone?: "danger"; children: ReactNode }) {
  return (
    <PopoverButton
      width={300}
      position="bottom-start"
      className={classes.details ?? ""}
      renderButton={(props) => (
        <UnstyledButton className={classes.note ?? ""} data-tone={tone} {...props}>
          {label}
        </UnstyledButton>
      )}
    >
      {() => children}
    </PopoverButton>
  );
}

function SleepingModels({ models }: { models: Channel["sleeping_models"] }) {
  const { t } = useTranslation("channels");
  return (
    <>
      <p className={classes.lead}>{t("status.sleepingHint")}</p>
      <ScrollBox label={t("status.sleeping", { count: models.length })} className={classes.window}>
        <ul className={classes.models}>
          {models.map(({ model, awake_time }) => (
            <li key={model}>
              <span className={classes.model}>{model}</span> <TimeText time={awake_time} />
            </li>
          ))}
        </ul>
      </ScrollBox>
    </>
  );
}

function StatusReason({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const hint = channel.status_hint;
  const reason = channel.status === CHANNEL_STATUS.autoDisabled ? (channel.status_reason ?? "") : "";
  if (hint === undefined) return reason === "" ? null : <StatusNote label={t("status.why")}>{reason}</StatusNote>;
  return (
    <StatusNote label={t(`hints.${hint.code}.label`)} tone="danger">
      <HintDetails hint={hint} reason={reason} />
    </StatusNote>
  );
}

function KeyNotes({ channel: { keys, is_unreadable: isUnreadable } }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const hasRefused = keys !== undefined && keys.refused > 0 && keys.enabled > 0;
  return (
    <>
      {isUnreadable === true && (
        <StatusNote label={t("status.unreadable")} tone="danger">
          {t("status.unreadableHint")}
        </StatusNote>
      )}
      {hasRefused && (
        <StatusNote label={t("status.keysRefused", { count: keys.refused, total: keys.total })} tone="danger">
          {t("status.keysRefusedHint")}
        </StatusNote>
      )}
    </>
  );
}

export function ChannelStatus({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const { name, tone } = channelStatusLook(channel);
  const sleeping = channel.sleeping_models;
  const isDormant = channel.status === CHANNEL_STATUS.dormant;
  const hasSleeping = (channel.status === CHANNEL_STATUS.enabled || isDormant) && sleeping.length > 0;
  return (
    <span className={classes.status}>
      <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>
      {isDormant && channel.awake_time > 0 && (
        <span className={classes.wakes}>
          {t("status.wakes")} <TimeText time={channel.awake_time} />
        </span>
      )}
      {hasSleeping && (
        <StatusNote label={t("status.sleeping", { count: sleeping.length })}>
          <SleepingModels models={sleeping} />
        </StatusNote>
      )}
      <StatusReason channel={channel} />
      <KeyNotes channel={channel} />
    </span>
  );
}
