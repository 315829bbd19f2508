import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { IconCircleCheck, IconCircleOff, IconCopy, IconPencil, IconTrash } from "@tabler/icons-react";
import type { RowAction } from "../../components/data-table/rows/row-action.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useDeleteRedemption, useSetRedemptionStatus } from "./redemption-mutations.ts";

function useToggleAction() {
  const { t } = useTranslation("common");
  const setStatus = useSetRedemptionStatus();
  return ({ id, status }: Redemption): RowAction => {
    const enables = status === REDEMPTION_STATUS.disabled;
    const wanted = enables ? REDEMPTION_STATUS.unused : REDEMPTION_STATUS.disabled;
    return {
      id: "toggle",
      label: enables ? t("enable") : t("disable"),
      icon: enables ? <IconCircleCheck size={16} /> : <IconCircleOff size={16} />,
      placement: "menu",
      disabled: status === REDEMPTION_STATUS.used,
      onSelect: () =>
        setStatus.mutate({ id, status: wanted }, { onSuccess: () => toastSuccess(t("operationCompleted")) }),
    };
  };
}

function useDeleteAction() {
  const { t } = useTranslation("redemptions", "common");
  const remove = useDeleteRedemption();
  return ({ id, name }: Redemption): RowAction => ({
    id: "delete",
    label: t("common:delete"),
    icon: <IconTrash size={16} />,
    tone: "danger",
    placement: "menu",
    confirm: {
      title: t("delete.title", { name }),
      message: t("delete.message"),
      confirmLabel: t("common:delete"),
      tone: "danger",
    },
    onSelect: () => remove.mutate(id, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
  });
}

export function useRedemptionActions(copy: (key: string) => void): (redemption: Redemption) => RowAction[] {
  const { t } = useTranslation("redemptions", "common");
  const toggleAction = useToggleAction();
  const deleteAction = useDeleteAction();
  return (redemption) => [
    {
      id: "copy",
      label: t("copy.action"),
      icon: <IconCopy size={16} />,
      onSelect: () => copy(redemption.key),
    },
    {
      id: "edit",
      label: t("common:edit"),
      icon: <IconPencil size={16} />,
      path: `/redemption/edit/${redemption.id}`,
    },
    toggleAction(redemption),
    deleteAction(redemption),
  ];
}
