import { type Token, TOKEN_STATUS } from "@one-api/contract/token";
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../../components/data-table/row-action.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { useCardScreen } from "../../../lib/use-narrow-screen.ts";
import { useDeleteToken } from "../api/use-delete-token.ts";
import { useSetTokenStatus } from "../api/use-set-token-status.ts";
import { useAlertAction } from "./use-alert-action.tsx";
import { type CopyText, useChatAction, useCopyAction } from "./use-copy-actions.tsx";

function useToggleAction() {
  const { t } = useTranslation(["tokens", "common"]);
  const setStatus = useSetTokenStatus();
  return (token: Token): RowAction => {
    const isEnabled = token.status === TOKEN_STATUS.enabled;
    const status = isEnabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled;
    return {
      id: "toggle",
      label: isEnabled ? t("common:disable") : t("common:enable"),
      icon: isEnabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
      onSelect: () =>
        setStatus.mutate({ id: token.id, status }, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
    };
  };
}

function useDeleteAction() {
  const { t } = useTranslation(["tokens", "common"]);
  const remove = useDeleteToken();
  return (token: Token): RowAction => ({
    id: "delete",
    label: t("common:delete"),
    icon: <IconTrash size={16} />,
    tone: "danger",
    confirm: {
      title: t("delete.title", { name: token.name }),
      message: t("delete.message"),
      confirmLabel: t("common:delete"),
      tone: "danger",
    },
    onSelect: () => remove.mutate(token.id, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
  });
}

/** Returns what can be done with a row of the list. In the long sheet of a card the short actions stand before those with many choices. */
export function useTokenActions(copy: CopyText): (token: Token) => RowAction[] {
  const { t } = useTranslation("common");
  const copyAction = useCopyAction(copy);
  const chatAction = useChatAction();
  const alertAction = useAlertAction();
  const toggleAction = useToggleAction();
  const deleteAction = useDeleteAction();
  const asCards = useCardScreen();
  return (token) => {
    const choices = [copyAction(token), chatAction(token), alertAction(token)];
    const edit = { id: "edit", label: t("edit"), icon: <IconPencil size={16} />, path: `/token/edit/${token.id}` };
    const short = [edit, toggleAction(token)];
    return [...(asCards ? [...short, ...choices] : [...choices, ...short]), deleteAction(token)];
  };
}
