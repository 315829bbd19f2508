import { joinList, splitList } from "@one-api/contract/texts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { MenuEntry } from "../../../components/floating/menu-entry.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { channelQuery, CHANNELS_KEY } from "../channel-queries.ts";

/** A model at a channel. */
export interface MatrixCellOf {
  readonly id: number;
  readonly channel: string;
  readonly model: string;
}

/** Takes a model from a channel's list. A press in the message undoes it. */
function useRemoveModel() {
  const { t } = useTranslation("channel-matrix");
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: CHANNELS_KEY });
  const setModels = (id: number, models: string) => callApi("PUT /api/channel/", { body: { id, models } });
  const restore = useMutation({
    mutationFn: ({ id, models }: { id: number; models: string }) => setModels(id, models),
    onSettled,
  });
  return useMutation({
    mutationFn: async ({ id, model }: MatrixCellOf) => {
      const { models } = await client.fetchQuery({ ...channelQuery(id), staleTime: 0 });
      await setModels(id, joinList(splitList(models).filter((name) => name !== model)));
      return { id, models };
    },
    onSuccess: (before, { channel, model }) =>
      toastSuccess(t("removed", { channel, model }), { label: t("undo"), onSelect: () => restore.mutate(before) }),
    onSettled,
  });
}

/** Returns the menu of a model at a channel. */
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
    { id: "remove", label: t("actions.remove", { model }), tone: "danger", onSelect: () => remove.mutate(of) },
  ];
}
