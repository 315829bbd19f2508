import { Loader, UnstyledButton } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { SteadyButton } from "../../../components/buttons/steady-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatTime } from "../../../lib/format.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useUpdateChannelBalance } from "../channel-mutations.ts";
import { formatBalance } from "../format-balance.ts";
import classes from "./channel-balance.module.css";

interface BalanceButtonProps {
  /** Of the channel, or the end of its key. */
  name: string;
  /** Undefined for unknown. */
  shown: string | undefined;
  title: string;
  isPending: boolean;
  onRefresh: () => void;
}

/** A balance at a provider. A press requests it again. */
export function BalanceButton({ name, shown, title, isPending, onRefresh }: BalanceButtonProps) {
  const { t } = useTranslation("channels");
  // A balance that was never fetched is unknown, not $0.00.
  const text = shown ?? t("balance.check");
  return (
    <UnstyledButton
      className={classes.balance ?? ""}
      aria-label={t("balance.refresh", { balance: text, name })}
      title={title}
      data-unknown={shown === undefined}
      component={SteadyButton}
      aria-busy={isPending}
      onClick={onRefresh}
    >
      {isPending && <Loader size={12} />}
      {text}
    </UnstyledButton>
  );
}

/** Of several keys it is the sum, or without one of them a part that says so. */
function useBalanceWords({ type, balance, balance_updated_time: asked, keys }: Channel) {
  const { t } = useTranslation("channels");
  const time = formatTime(asked);
  if (asked > 0) {
    const title =
      keys === undefined ? t("balance.askedAt", { time }) : t("balance.sumAt", { count: keys.known_balances, time });
    return { shown: formatBalance(type, balance), title };
  }
  if (keys === undefined || keys.known_balances === 0) return { shown: undefined, title: t("balance.neverAsked") };
  const { known_balances: known, unknown_balances: count } = keys;
  return {
    shown: t("balance.atLeast", { balance: formatBalance(type, keys.known_balance) ?? "" }),
    title: t("balance.unknownKeys", { count, total: known + count }),
  };
}

export function ChannelBalance({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const update = useUpdateChannelBalance();
  const words = useBalanceWords(channel);
  if (channelTypeInfo(channel.type)?.balance === undefined)
    return <span className={classes.unsupported}>{t("balance.unsupported")}</span>;
  return (
    <BalanceButton
      {...words}
      name={channel.name}
      isPending={update.isPending}
      onRefresh={() => update.mutate(channel.id, { onSuccess: () => toastSuccess(t("balance.updated")) })}
    />
  );
}
