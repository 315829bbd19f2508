import type { Token } from "@one-api/contract/token";
import { IconBell, IconCalendarClock, IconWallet } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../../components/data-table/row-action.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { type TokenAlert, useSendTokenAlert } from "../api/use-send-token-alert.ts";
import { useCountdowns } from "./use-countdowns.ts";

const RESEND_AFTER_SECONDS = 30;

/** Returns the alert menu of a row: it sends a mail now, and then waits before the next one. */
export function useAlertAction(): (token: Token) => RowAction {
  const { t } = useTranslation("tokens");
  const alert = useSendTokenAlert();
  const countdown = useCountdowns(RESEND_AFTER_SECONDS);
  const send = (id: number, alertType: TokenAlert) => {
    const onSuccess = () => {
      countdown.start(id);
      toastSuccess(t("alert.sent"));
    };
    alert.mutate({ id, alertType }, { onSuccess });
  };
  return (token) => {
    const seconds = countdown.leftOf(token.id);
    const isWaiting = seconds > 0;
    return {
      id: "alert",
      label: isWaiting ? t("alert.again", { seconds }) : t("alert.title"),
      icon: <IconBell size={16} />,
      disabled: isWaiting,
      items: [
        {
          id: "balance",
          label: t("alert.balance"),
          icon: <IconWallet size={16} />,
          disabled: isWaiting,
          onSelect: () => send(token.id, "balance"),
        },
        {
          id: "expired",
          label: t("alert.expired"),
          icon: <IconCalendarClock size={16} />,
          disabled: isWaiting,
          onSelect: () => send(token.id, "expired"),
        },
      ],
    };
  };
}
