import { type Channel, updateChannel } from "@one-api/contract/channel";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callApi } from "../../../lib/api-client.ts";
import { patchListRow } from "../../../lib/list-cache.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { CHANNEL_LIST_KEY } from "./channel-queries.ts";

interface SetPriority {
  id: number;
  priority: number;
}

/** Saves a channel's priority from the list, and says that it did: the field itself looks the same before and after. */
export function useSetChannelPriority() {
  const { t } = useTranslation("common");
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SetPriority) => callApi(updateChannel, { body: input }),
    onMutate: ({ id, priority }) => ({ undo: patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { priority }) }),
    onSuccess: () => toastSuccess(t("operationCompleted")),
    onError: (_error, _input, started) => started?.undo(),
  });
}
