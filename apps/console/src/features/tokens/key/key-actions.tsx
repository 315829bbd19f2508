import type { Token } from "@one-api/contract/token";
import { IconKeyOff, IconRotate } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { RowAction } from "../../../components/data-table/rows/row-action.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useEndOldTokenKey } from "../token-mutations.ts";

const RollKeyDialog = lazyPart(() => import("./roll-key-dialog.tsx"));

interface KeyActions {
  actionsOf(token: Token): RowAction[];
  readonly dialog: ReactNode;
}

/** Returns the actions on a token's keys, rotate it and end the previous key, and the dialog that they open. */
export function useKeyActions(): KeyActions {
  const { t } = useTranslation("tokens");
  const end = useEndOldTokenKey();
  const [rolling, setRolling] = useState<Token>();
  const actionsOf = (token: Token) => {
    const renew: RowAction = {
      id: "roll",
      label: t("roll.action"),
      icon: <IconRotate size={16} />,
      onSelect: () => setRolling(token),
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
  const dialog = rolling !== undefined && <RollKeyDialog token={rolling} onClose={() => setRolling(undefined)} />;
  return { actionsOf, dialog };
}
