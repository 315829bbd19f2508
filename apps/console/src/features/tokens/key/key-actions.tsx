import type { Token } from "@one-api/contract/token";
import { IconKeyOff, IconRotate } from "@tabler/icons-react";
import type { RowAction } from "../../../components/data-table/rows/row-action.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useEndOldTokenKey } from "../token-mutations.ts";

/** Returns the actions on a token's keys: rotate, by `roll`, and end the previous key. */
export function useKeyActions(roll: (token: Token) => void): (token: Token) => RowAction[] {
  const { t } = useTranslation("tokens");
  const end = useEndOldTokenKey();
  return (token) => {
    const renew: RowAction = {
      id: "roll",
      label: t("roll.action"),
      icon: <IconRotate size={16} />,
      onSelect: () => roll(token),
    };
    if (token.old_key_ends_at === 0) return [renew];
    const endOld: RowAction = {
      id: "end-old-key",
      label: t("roll.end"),
      icon: <IconKeyOff size={16} />,
      tone: "danger",
      confirm: {
        title: t("roll.endTitle", { name: token.name }),
        message: t("roll.endText"),
        confirmLabel: t("roll.end"),
        tone: "danger",
      },
      onSelect: () => end.mutate(token.id, { onSuccess: () => toastSuccess(t("roll.ended")) }),
    };
    return [renew, endOld];
  };
}
