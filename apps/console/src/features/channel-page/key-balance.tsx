import type { Channel } from "@one-api/contract/channels/channel";
import type { ChannelKey } from "@one-api/contract/channels/channel-keys";
import { TimeText } from "../../components/time-text.tsx";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { formatBalance } from "../channels/format-balance.ts";
import { BalanceButton } from "../channels/list/channel-balance.tsx";
import classes from "./keys-card.module.css";
import { useUpdateKeyBalance } from "./page-queries.ts";

interface KeyBalanceProps {
  channel: Channel;
  row: ChannelKey;
  name: string;
}

/** The balance of a key with the time of the report; nothing for a provider without balances. */
export function KeyBalance({ channel, row, name }: KeyBalanceProps) {
  const { t } = useTranslation("channels");
  const update = useUpdateKeyBalance(channel.id);
  const { balance_updated_time: time, balance_error: error } = row;
  const amount = formatBalance(channel.type, row.balance);
  if (amount === undefined) return <span />;
  const isKnown = time > 0 && error === "";
  return (
    <span className={classes.balance}>
      <BalanceButton
        name={name}
        shown={isKnown ? amount : undefined}
        title={time > 0 ? t("balance.askedAt", { time: formatTime(time) }) : t("balance.neverAsked")}
        isPending={update.isPending}
        onRefresh={() => update.mutate(row.id, { onSuccess: () => toastSuccess(t("balance.updated")) })}
      />
      {isKnown && (
        <span className={classes.note}>
          <TimeText time={time} />
        </span>
      )}
    </span>
  );
}

/** Why the balance of a key is unknown, and the last one that was known. */
export function KeyBalanceError({ channel, row }: Omit<KeyBalanceProps, "name">) {
  const { t } = useTranslation("channel-page");
  const { balance_updated_time: time, balance_error: error, balance_error_time: failedAt } = row;
  const amount = formatBalance(channel.type, row.balance);
  if (amount === undefined || error === "") return null;
  return (
    <span className={classes.failure}>
      {t("keys.balanceFailed")} <TimeText time={failedAt} />: {error}
      {time > 0 && (
        <>
          {" "}
          {t("keys.lastBalance", { balance: amount })} <TimeText time={time} />
        </>
      )}
    </span>
  );
}
