import type { Channel } from "@one-api/contract/channels/channel";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import {
  IconChartBar,
  IconChartPie,
  IconCircleCheck,
  IconCircleOff,
  IconCopyPlus,
  IconHeartbeat,
  IconInfoCircle,
  IconListDetails,
  IconPencil,
  IconTrash,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { RowAction } from "../../../components/data-table/rows/row-action.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useCopyChannel, useDeleteChannel, useSetChannelStatus } from "../channel-mutations.ts";
import { ChannelsOffEffect, useConfirmOff } from "../effect/use-confirm-off.tsx";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { useChannelTests } from "./use-channel-tests.ts";

const ShareSheet = lazyPart(() => import("../shares/share-sheet.tsx"), ["channel-shares"]);

interface ActionOptions {
  /** Model that a test of the channel asks; the channel's own without it. */
  modelOf?(id: number): string;
  onDeleted?(): void;
}

interface ChannelActions {
  actionsOf(channel: Channel): RowAction[];
  /** What the actions open. */
  readonly dialogs: ReactNode;
}

function isServing({ status }: Channel): boolean {
  return status === CHANNEL_STATUS.enabled || status === CHANNEL_STATUS.dormant;
}

function useToggleAction() {
  const { t } = useTranslation("channels", "common");
  const setStatus = useSetChannelStatus();
  const confirmOff = useConfirmOff();
  return (channel: Channel): RowAction => {
    const { id, name } = channel;
    const disables = isServing(channel);
    // An automatically disabled channel can only become disabled by hand.
    const before = channel.status === CHANNEL_STATUS.reserve ? CHANNEL_STATUS.reserve : CHANNEL_STATUS.disabled;
    const undo = () => setStatus.mutate({ id, status: disables ? CHANNEL_STATUS.enabled : before });
    const done = disables ? t("done.disabled", { name }) : t("done.enabled", { name });
    const toggle = async () => {
      if (disables && !(await confirmOff({ ids: [id], name }))) return;
      setStatus.mutate(
        { id, status: disables ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled },
        { onSuccess: () => toastSuccess(done, { label: t("undo"), onSelect: undo }) },
      );
    };
    return {
      id: "toggle",
      label: disables ? t("common:disable") : t("common:enable"),
      icon: disables ? <IconCircleOff size={16} /> : <IconCircleCheck size={16} />,
      onSelect: () => void toggle(),
    };
  };
}

/** Returns the action that copies a channel and opens the copy, to be looked at before it is enabled. */
function useCopyAction() {
  const { t } = useTranslation("channels");
  const copy = useCopyChannel();
  const remove = useDeleteChannel();
  const navigate = useNavigate();
  return (channel: Channel): RowAction => ({
    id: "copy",
    label: t("copy.action"),
    icon: <IconCopyPlus size={16} />,
    placement: "menu",
    onSelect: () =>
      copy.mutate(channel.id, {
        onSuccess: ({ id }) => {
          const undo = () => remove.mutate(id, { onSuccess: () => void navigate({ to: "/channel" }) });
          toastSuccess(t("copy.done", { name: channel.name }), { label: t("undo"), onSelect: undo });
          void navigate({ to: "/channel/edit/$id", params: { id } });
        },
      }),
  });
}

function useDeleteAction(onDeleted: (() => void) | undefined) {
  const { t } = useTranslation("channels", "common");
  const remove = useDeleteChannel();
  return (channel: Channel): RowAction => ({
    id: "delete",
    label: t("common:delete"),
    icon: <IconTrash size={16} />,
    tone: "danger",
    confirm: {
      title: t("delete.title", { name: channel.name }),
      message: t("delete.message"),
      details: <ChannelsOffEffect ids={[channel.id]} />,
      confirmLabel: t("common:delete"),
      tone: "danger",
    },
    onSelect: () =>
      remove.mutate(channel.id, {
        onSuccess: () => {
          toastSuccess(t("done.deleted", { name: channel.name }));
          onDeleted?.();
        },
      }),
    placement: "menu",
  });
}

/** Returns the actions that lead to a page about the channel. */
function usePageActions() {
  const { t } = useTranslation("channels", "common");
  return ({ id }: Channel): RowAction[] => [
    { id: "edit", label: t("common:edit"), icon: <IconPencil size={16} />, path: `/channel/edit/${id}` },
    { id: "details", label: t("details"), icon: <IconInfoCircle size={16} />, path: `/channel/${id}` },
    { id: "logs", label: t("logs"), icon: <IconListDetails size={16} />, path: `/log?channel=${id}` },
    { id: "usage", label: t("usage"), icon: <IconChartBar size={16} />, path: `/dashboard?channel=${id}` },
  ];
}

/** Returns the actions on a channel. The two most frequent ones are buttons in its row; the name links to the form. */
export function useChannelActions({ modelOf = () => "", onDeleted }: ActionOptions = {}): ChannelActions {
  const { t } = useTranslation("channels");
  const tests = useChannelTests(modelOf);
  const [shared, setShared] = useState<Channel>();
  const pageActions = usePageActions();
  const toggleAction = useToggleAction();
  const copyAction = useCopyAction();
  const deleteAction = useDeleteAction(onDeleted);
  const actionsOf = (channel: Channel): RowAction[] => [
    {
      id: "test",
      label: t("test.action"),
      icon: <IconHeartbeat size={16} />,
      busy: tests.isTesting(channel.id),
      onSelect: () => void tests.start(channel),
    },
    toggleAction(channel),
    ...pageActions(channel).map((action) => ({ ...action, placement: "menu" as const })),
    copyAction(channel),
    {
      id: "shares",
      label: t("shares.title"),
      icon: <IconChartPie size={16} />,
      placement: "menu",
      disabled: channel.models === "",
      onSelect: () => setShared(channel),
    },
    deleteAction(channel),
  ];
  const dialogs = shared !== undefined && <ShareSheet channel={shared} onClose={() => setShared(undefined)} />;
  return { actionsOf, dialogs };
}
