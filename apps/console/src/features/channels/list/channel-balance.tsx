import { Loader, UnstyledButton } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatMoney, formatQuota, formatTime, formatTwoDecimals } from "../../../lib/format.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useUpdateChannelBalance } from "../channel-mutations.ts";
import classes from "./channel-balance.module.css";

const TEN_THOUSAND = 10_000;

/** A channel's balance in the unit of its type: dollars, yuan, ten-thousandths or quota; undefined where the type reports none. */
export function formatBalance(type: number, balance: number): string | undefined {
  switch (channelTypeInfo(type)?.balance) {
    case "dollar":
      return formatMoney(balance);
    case "yuan":
      return formatMoney(balance, "¥");
    case "ten-thousandth":
      return formatTwoDecimals(balance / TEN_THOUSAND);
    case "quota":
      return formatQuota(Math.round(balance), { displayInCurrency: false, quotaPerUnit: 1 });
    case undefined:
      return undefined;
  }
}

/** Balance at the provider. A press requests it again. */
export function ChannelBalance({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const update = useUpdateChannelBalance();
  const text = formatBalance(channel.type, channel.balance);
  if (text === undefined) return <span className={classes.unsupported}>{t("balance.unsupported")}</span>;
  const asked = channel.balance_updated_time;
  // A balance that was never fetched is unknown, not $0.00.
  const shown = asked > 0 ? text : t("balance.check");
  return (
    <UnstyledButton
      className={classes.balance ?? ""}
      aria-label={t("balance.refresh", { balance: shown, name: channel.name })}
      title={asked > 0 ? t("balance.askedAt", { time: formatTime(asked) }) : t("balance.neverAsked")}
      data-unknown={asked <= 0}
      disabled={update.isPending}
      onClick={() => update.mutate(channel.id, { onSuccess: () => toastSuccess(t("balance.updated")) })}
    >
      {update.isPending && <Loader size={12} />}
      {shown}
    </UnstyledButton>
  );
}
