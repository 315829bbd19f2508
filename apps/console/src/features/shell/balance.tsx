import { IconWallet } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { formatInteger } from "../../lib/format.ts";
import { useCurrentUser, useIsRoot } from "../../lib/state/session.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { selfQuery } from "../profile/self-queries.ts";
import classes from "./balance.module.css";

/** Requests spend the balance without any action in the console. */
const REFRESH_INTERVAL_MS = 60_000;

/** A million dollars, in quota. Root begins with a thousand times as much, which says nothing. */
const LARGEST_SHOWN = 500_000_000_000;

/** Reloads the balance after every accepted change, since many change it. */
function useFreshBalance(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe(({ type, mutation }) => {
        if (type === "updated" && mutation.state.status === "success")
          void client.invalidateQueries({ queryKey: selfQuery.queryKey });
      }),
    [client],
  );
}

export function Balance({ collapsed }: { collapsed: boolean }) {
  const { t, language } = useTranslation("shell", "common");
  const user = useCurrentUser();
  const isRoot = useIsRoot();
  const format = useFormatQuota();
  const self = useQuery({
    ...selfQuery,
    enabled: user !== undefined,
    refetchInterval: REFRESH_INTERVAL_MS,
    refetchOnWindowFocus: true,
    meta: { quiet: true },
  });
  useFreshBalance();
  if (user === undefined) return null;
  // Its place is kept free until it is known, so that nothing moves then. Root's is seldom shown.
  if (self.data === undefined || self.data.id !== user.id)
    return isRoot ? null : <span className={classes.balance} data-collapsed={collapsed} />;
  const { quota } = self.data;
  if (quota > LARGEST_SHOWN) return null;
  const name = t("shell:balance.title", { amount: format(quota) });
  return (
    <Link
      to="/topup"
      className={classes.balance}
      data-collapsed={collapsed}
      data-empty={quota <= 0}
      aria-label={name}
      title={`${name} · ${t("common:quotaExact", { amount: formatInteger(quota, language) })}`}
    >
      <IconWallet size={16} stroke={1.6} aria-hidden="true" />
      {!collapsed && (
        <span className={classes.text}>
          <span className={classes.label}>{t("shell:balance.label")}</span>
          <span className={classes.amount}>{format(quota)}</span>
        </span>
      )}
    </Link>
  );
}
