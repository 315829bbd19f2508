import { joinList, splitList } from "@one-api/contract/texts";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MenuEntry } from "../../../components/floating/menu-entry.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { channelQuery } from "../channel-queries.ts";
import { useUpdateChannel } from "../channel-mutations.ts";

/** A model at a channel. */
export interface MatrixCellOf {
  readonly id: number;
  readonly channel: string;
  readonly model: string;
}

/** Returns a function that takes a model from a channel's list, which a press in the message undoes. */
function useRemoveModel() {
  const { t } = useTranslation("channel-matrix");
  const client = useQueryClient();
  const update = useUpdateChannel();
  return async ({ id, channel, model }: MatrixCellOf) => {
    const { models: before } = await client.fetchQuery({ ...channelQuery(id), staleTime: 0 });
    const models = joinList(splitList(before).filter((name) => name !== model));
    await update.mutateAsync({ id, models });
    const undo = () => update.mutate({ id, models: before });
    toastSuccess(t("removed", { channel, model }), { label: t("undo"), onSelect: undo });
  };
}

/** What one can do about a model at a channel. */
export function useCellActions(of: MatrixCellOf): readonly MenuEntry[] {
  const { t } = useTranslation("channel-matrix");
  const navigate = useNavigate();
  const remove = useRemoveModel();
  const { id, model } = of;
  return [
    {
      id: "logs",
      label: t("actions.logs"),
      onSelect: () => void navigate({ to: "/log", search: { channel: [id], model_name: [model], range: "day" } }),
    },
    {
      id: "channel",
      label: t("actions.channel"),
      onSelect: () => void navigate({ to: "/channel/$id", params: { id } }),
    },
    {
      id: "edit",
      label: t("actions.edit"),
      onSelect: () => void navigate({ to: "/channel/edit/$id", params: { id } }),
    },
    { id: "remove", label: t("actions.remove", { model }), tone: "danger", onSelect: () => void remove(of) },
  ];
}
