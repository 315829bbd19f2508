import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { Token } from "@one-api/contract/token";
import {
  IconBell,
  IconCalendarClock,
  IconChartBar,
  IconCircleCheck,
  IconCircleOff,
  IconCopy,
  IconExternalLink,
  IconKey,
  IconLink,
  IconListDetails,
  IconMessageCircle,
  IconPencil,
  IconShare,
  IconTerminal2,
  IconTrash,
  IconWallet,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { DeletionEffect } from "../deletion/lazy-deletion-effect.ts";
import type { RowAction } from "../../components/data-table/rows/row-action.ts";
import { stringifyPlainSearch } from "../../lib/list/plain-search.ts";
import { useServerAddress, useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useKeyActions } from "./key/key-actions.tsx";
import { type TokenAlert, useDeleteToken, useSendTokenAlert, useSetTokenStatus } from "./token-mutations.ts";
import { CLIENTS, clientLink, fullKey, shopFormat, type Client } from "./token-sharing.ts";
import { type CopyText, useCopyOrShow } from "./use-copy-or-show.tsx";

const TICK_MS = 1_000;

/** Counts down for several rows at once, each from `seconds`. */
function useCountdowns(seconds: number) {
  const [left, setLeft] = useState<ReadonlyMap<number, number>>(new Map());
  const isRunning = left.size > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      setLeft(
        (before) => new Map([...before].map(([id, rest]) => [id, rest - 1] as const).filter(([, rest]) => rest > 0)),
      );
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return {
    /** Seconds that are left for the row; 0 when it does not count. */
    leftOf: (id: number) => left.get(id) ?? 0,
    start: (id: number) => setLeft((before) => new Map(before).set(id, seconds)),
  };
}

const RESEND_AFTER_SECONDS = 30;

/** Returns the alert menu of a row: it sends a mail now, and then waits before the next one. */
function useAlertAction(): (token: Token) => RowAction {
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

function useClientLink() {
  const server = useServerAddress();
  const { chat_link: chatLink, chat_link_next_web: nextWeb, chat_link_lobe: lobeChat } = useStoredStatus();
  const sites = { nextWeb: nextWeb || chatLink, lobeChat };
  return (client: Client, token: Token) => clientLink(client, { key: fullKey(token), server, sites });
}

/** Returns the copy menu of a row: the shop format, the key and the links of clients. The icon beside the key copies the key alone. */
function useCopyAction(copy: CopyText): (token: Token) => RowAction {
  const { t } = useTranslation("tokens");
  const linkTo = useClientLink();
  return (token) => ({
    id: "copy",
    label: t("copy.title"),
    icon: <IconShare size={16} />,
    items: [
      {
        id: "shop",
        label: t("copy.shop"),
        icon: <IconCopy size={16} />,
        onSelect: () => copy(shopFormat([token]), t("copy.shopDone", { count: 1 })),
      },
      {
        id: "key",
        label: t("copy.key"),
        icon: <IconKey size={16} />,
        onSelect: () => copy(fullKey(token), t("copy.keyDone")),
      },
      ...CLIENTS.map((client) => ({
        id: client,
        label: t("copy.link", { client: t(`clients.${client}`) }),
        icon: <IconLink size={16} />,
        onSelect: () => copy(linkTo(client, token), t("copy.linkDone", { client: t(`clients.${client}`) })),
      })),
    ],
  });
}

/** Returns the chat menu of a row: each client opens in a new tab. */
function useChatAction(): (token: Token) => RowAction {
  const { t } = useTranslation("tokens");
  const linkTo = useClientLink();
  return (token) => ({
    id: "chat",
    label: t("chat"),
    icon: <IconMessageCircle size={16} />,
    items: CLIENTS.map((client) => ({
      id: client,
      label: client === "nextWeb" ? t("chatNextWeb") : t(`clients.${client}`),
      icon: <IconExternalLink size={16} />,
      onSelect: () => void window.open(linkTo(client, token), "_blank", "noopener,noreferrer"),
    })),
  });
}

function useToggleAction() {
  const { t } = useTranslation("tokens", "common");
  const setStatus = useSetTokenStatus();
  return ({ id, status }: Token): RowAction => {
    const isEnabled = status === TOKEN_STATUS.enabled;
    const [wanted, before] = isEnabled
      ? [TOKEN_STATUS.disabled, TOKEN_STATUS.enabled]
      : [TOKEN_STATUS.enabled, TOKEN_STATUS.disabled];
    const undo = () => setStatus.mutate({ id, status: before });
    const onSuccess = () => toastSuccess(t("common:operationCompleted"), { label: t("undo"), onSelect: undo });
    return {
      id: "toggle",
      label: isEnabled ? t("common:disable") : t("common:enable"),
      icon: isEnabled ? <IconCircleOff size={16} /> : <IconCircleCheck size={16} />,
      onSelect: () => setStatus.mutate({ id, status: wanted }, { onSuccess }),
    };
  };
}

function useDeleteAction() {
  const { t } = useTranslation("tokens", "common");
  const remove = useDeleteToken();
  return (token: Token): RowAction => ({
    id: "delete",
    label: t("common:delete"),
    icon: <IconTrash size={16} />,
    tone: "danger",
    confirm: {
      title: t("delete.title", { name: token.name }),
      message: t("delete.message"),
      details: <DeletionEffect of={{ token: token.name }} usedAt={token.accessed_time} />,
      confirmLabel: t("common:delete"),
      tone: "danger",
    },
    onSelect: () => remove.mutate(token.id, { onSuccess: () => toastSuccess(t("common:operationCompleted")) }),
  });
}

/** Returns the actions that lead to a page about the token. */
function usePageActions() {
  const { t } = useTranslation("tokens");
  return ({ id, name }: Token) => ({
    connect: { id: "recipes", label: t("recipes"), icon: <IconTerminal2 size={16} />, path: `/recipes?token=${id}` },
    logs: {
      id: "logs",
      label: t("logs"),
      icon: <IconListDetails size={16} />,
      path: `/log${stringifyPlainSearch({ token_name: name })}`,
    },
    usage: {
      id: "usage",
      label: t("usage"),
      icon: <IconChartBar size={16} />,
      path: `/dashboard${stringifyPlainSearch({ token: name })}`,
    },
  });
}

interface TokenActions {
  actionsOf(token: Token): RowAction[];
  readonly copyOrShow: CopyText;
  /** What the actions open. */
  readonly dialogs: ReactNode;
}

/** Returns the actions on a token: a button in its row edits it, its menu has all others. */
export function useTokenActions(): TokenActions {
  const { t } = useTranslation("tokens", "common");
  const { copyOrShow, byHand } = useCopyOrShow();
  const copyAction = useCopyAction(copyOrShow);
  const chatAction = useChatAction();
  const alertAction = useAlertAction();
  const toggleAction = useToggleAction();
  const pageActions = usePageActions();
  const keys = useKeyActions();
  const deleteAction = useDeleteAction();
  const actionsOf = (token: Token): RowAction[] => {
    const { connect, logs, usage } = pageActions(token);
    // In the long sheet of a card the short actions stand before those with many choices.
    const behindDots = [
      toggleAction(token),
      ...keys.actionsOf(token),
      logs,
      usage,
      copyAction(token),
      connect,
      chatAction(token),
      alertAction(token),
      deleteAction(token),
    ];
    return [
      { id: "edit", label: t("common:edit"), icon: <IconPencil size={16} />, path: `/token/edit/${token.id}` },
      ...behindDots.map((action) => ({ ...action, placement: "menu" as const })),
    ];
  };
  const dialogs = (
    <>
      {keys.dialog}
      {byHand}
    </>
  );
  return { actionsOf, copyOrShow, dialogs };
}
