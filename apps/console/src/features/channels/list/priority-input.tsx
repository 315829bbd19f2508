import { NumberInput } from "@mantine/core";
import type { Channel } from "@one-api/contract/channel";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSetChannelPriority } from "../api/use-set-channel-priority.ts";
import classes from "./priority-input.module.css";

/** A channel's priority, saved when the field is left; an empty field leaves it as it was. */
export function PriorityInput({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const save = useSetChannelPriority();
  const [value, setValue] = useState<number | string>(channel.priority);
  const leave = () => {
    if (typeof value !== "number") return setValue(channel.priority);
    if (value !== channel.priority)
      save.mutate({ id: channel.id, priority: value }, { onError: () => setValue(channel.priority) });
  };
  return (
    <NumberInput
      aria-label={t("priorityOf", { name: channel.name })}
      className={classes.priority ?? ""}
      size="xs"
      hideControls
      allowDecimal={false}
      min={-1_000_000}
      max={1_000_000}
      value={value}
      onChange={setValue}
      onBlur={leave}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}
