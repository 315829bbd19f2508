import { Loader, UnstyledButton } from "@mantine/core";
import type { Channel } from "@one-api/contract/channel";
import { useTranslation } from "react-i18next";
import { formatTime } from "../../../lib/format.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { useUpdateChannelBalance } from "../api/use-update-channel-balance.ts";
import classes from "./channel-balance.module.css";
import { formatBalance } from "./format-balance.ts";

/** The balance at the provider; pressing it asks the provider again. */
export function ChannelBalance({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const update = useUpdateChannelBalance();
  const text = formatBalance(channel.type, channel.balance);
  if (text === undefined) return <span className={classes.unsupported}>{t("balance.unsupported")}</span>;
  const asked = channel.balance_updated_time;
  return (
    <UnstyledButton
      className={classes.balance ?? ""}
      aria-label={t("balance.refresh", { balance: text, name: channel.name })}
      title={asked > 0 ? t("balance.askedAt", { time: formatTime(asked) }) : t("balance.neverAsked")}
      disabled={update.isPending}
      onClick={() => update.mutate(channel.id, { onSuccess: () => toastSuccess(t("balance.updated")) })}
    >
      {update.isPending && <Loader size={12} />}
      {text}
    </UnstyledButton>
  );
}
