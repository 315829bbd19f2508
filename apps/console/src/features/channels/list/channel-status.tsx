import { Popover, UnstyledButton } from "@mantine/core";
import { type Channel, CHANNEL_STATUS } from "@one-api/contract/channel";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import classes from "./channel-status.module.css";

/** Name of a channel's state, as the texts know it. */
type ChannelStatusName = keyof typeof CHANNEL_STATUS | "unknown";

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

/** How a state of a channel is named and coloured; others than the five are unknown. */
export function channelStatusLook(status: number): StatusLook {
  return looks.get(status) ?? { name: "unknown", tone: "neutral" };
}

/** A short remark beside a state; pressing it shows the rest. */
export function StatusNote({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover width={300} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <UnstyledButton className={classes.note ?? ""}>{label}</UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.details ?? ""}>{children}</Popover.Dropdown>
    </Popover>
  );
}

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
