import type { Channel } from "@one-api/contract/channels/channel";
import type { CreateChannelInput, UpdateChannelInput } from "@one-api/contract/channels/channel-input";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { patchListRow, removeListRow, replaceListRow } from "../../lib/list/list-cache.ts";
import { channelKey, CHANNEL_IDS_KEY, CHANNEL_LIST_KEY, CHANNELS_KEY, TEST_PROGRESS_KEY } from "./channel-queries.ts";

/** Creates a channel, or one per line of the key. */
export function useCreateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateChannelInput) => callApi("POST /api/channel/", { body: input }),
    meta: { shownInPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

export function useUpdateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateChannelInput) => callApi("PUT /api/channel/", { body: input }),
    meta: { shownInPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

interface SetStatus {
  id: number;
  status: number;
}

export function useSetChannelStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: SetStatus) => callApi("PUT /api/channel/", { body: { id, status } }),
    onSuccess: (channel) => {
      replaceListRow(client, CHANNEL_LIST_KEY, channel);
      void client.invalidateQueries({ queryKey: channelKey(channel.id) });
    },
  });
}

interface SetPriority {
  id: number;
  priority: number;
}

export function useSetChannelPriority() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SetPriority) => callApi("PUT /api/channel/", { body: input }),
    onMutate: ({ id, priority }) => ({ undo: patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { priority }) }),
    onError: (_error, _input, started) => started?.undo(),
  });
}

/** Copies a channel, its key with it; resolves to the id of the copy, which is disabled. */
export function useCopyChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("POST /api/channel/:id/copy", { params: { id } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

/** Deletes a channel; its row vanishes at once. */
export function useDeleteChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/channel/:id/", { params: { id } }),
    onSuccess: (_data, id) => {
      removeListRow(client, CHANNEL_LIST_KEY, id);
      void client.invalidateQueries({ queryKey: CHANNEL_IDS_KEY });
    },
  });
}

export function useDeleteDisabledChannels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi("DELETE /api/channel/disabled"),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

interface TestInput {
  id: number;
  /** Empty for the channel's first model. */
  model: string;
}

/** Tests a channel; resolves to the seconds it took and the model. `quiet` leaves it to the page to show a failure. */
export function useTestChannel({ quiet = false } = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, model }: TestInput) =>
      callApi("GET /api/channel/test/:id", { params: { id }, query: { model } }),
    // The row shows the result, and a test may change the state.
    onSettled: () => client.invalidateQueries({ queryKey: CHANNELS_KEY }),
    meta: { quiet },
  });
}

export type TestScope = "all" | "disabled";

export function useTestChannels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (scope: TestScope) => callApi("GET /api/channel/test", { query: { scope } }),
    onSettled: () => void client.invalidateQueries({ queryKey: TEST_PROGRESS_KEY }),
  });
}

export function useStopChannelTests() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi("POST /api/channel/test/stop"),
    onSuccess: (progress) => client.setQueryData(TEST_PROGRESS_KEY, progress),
  });
}

/** Asks the channel's provider for the balance; the row shows it. */
export function useUpdateChannelBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("GET /api/channel/update_balance/:id/", { params: { id } }),
    onSuccess: ({ balance }, id) => {
      const now = Math.floor(Date.now() / 1_000);
      patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { balance, balance_updated_time: now });
    },
    // Of several keys some may have answered.
    onError: () => void client.invalidateQueries({ queryKey: CHANNEL_LIST_KEY }),
    onSettled: (_data, _error, id) => void client.invalidateQueries({ queryKey: channelKey(id) }),
  });
}
