import {
  type Channel,
  createChannel,
  type CreateChannelInput,
  deleteChannel,
  deleteDisabledChannels,
  stopChannelTests,
  testChannel,
  testChannels,
  updateChannel,
  updateChannelBalance,
  type UpdateChannelInput,
} from "@one-api/contract/channels/channel";
import { copyChannel } from "@one-api/contract/channels/channel-bulk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { patchListRow, removeListRow } from "../../lib/list/list-cache.ts";
import { channelKey, CHANNEL_IDS_KEY, CHANNEL_LIST_KEY, CHANNELS_KEY, TEST_PROGRESS_KEY } from "./channel-queries.ts";

/** Creates a channel, or one per line of the key. */
export function useCreateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateChannelInput) => callApi(createChannel, { body: input }),
    meta: { shownInPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

/** Saves the form of a stored channel. */
export function useUpdateChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateChannelInput) => callApi(updateChannel, { body: input }),
    meta: { shownInPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

interface SetStatus {
  id: number;
  status: number;
}

/** Changes a channel's state; its row shows the new state and what else the server answers, which may be nothing on servers of other versions. */
export function useSetChannelStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, status }: SetStatus) => callApi(updateChannel, { body: { id, status } }),
    onSuccess: (channel, { id, status }) => {
      patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { ...channel, status, status_hint: channel.status_hint });
      void client.invalidateQueries({ queryKey: channelKey(id) });
    },
  });
}

interface SetPriority {
  id: number;
  priority: number;
}

/** Saves a channel's priority from the list. */
export function useSetChannelPriority() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: SetPriority) => callApi(updateChannel, { body: input }),
    onMutate: ({ id, priority }) => ({ undo: patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { priority }) }),
    onError: (_error, _input, started) => started?.undo(),
  });
}

/** Copies a channel, its key with it; resolves to the id of the copy, which is disabled. */
export function useCopyChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(copyChannel, { params: { id } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: CHANNELS_KEY }),
  });
}

/** Deletes a channel; its row vanishes at once. */
export function useDeleteChannel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(deleteChannel, { params: { id } }),
    onSuccess: (_data, id) => {
      removeListRow(client, CHANNEL_LIST_KEY, id);
      void client.invalidateQueries({ queryKey: CHANNEL_IDS_KEY });
    },
  });
}

/** Deletes all disabled channels; resolves to their count. */
export function useDeleteDisabledChannels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(deleteDisabledChannels),
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
    mutationFn: ({ id, model }: TestInput) => callApi(testChannel, { params: { id }, query: { model } }),
    // How it went stands in the row; a test may change the state as well.
    onSettled: () => client.invalidateQueries({ queryKey: CHANNELS_KEY }),
    meta: { quiet },
  });
}

/** Which channels a test in the background takes. */
export type TestScope = "all" | "disabled";

/** Starts a test of all or of all disabled channels in the background. */
export function useTestChannels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (scope: TestScope) => callApi(testChannels, { query: { scope } }),
    onSettled: () => void client.invalidateQueries({ queryKey: TEST_PROGRESS_KEY }),
  });
}

/** Ends the running test of many channels; what was found so far stays. */
export function useStopChannelTests() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(stopChannelTests),
    onSuccess: (progress) => client.setQueryData(TEST_PROGRESS_KEY, progress),
  });
}

/** Asks the channel's provider for the balance; the row shows it. */
export function useUpdateChannelBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi(updateChannelBalance, { params: { id } }),
    onSuccess: ({ balance }, id) => {
      const now = Math.floor(Date.now() / 1_000);
      patchListRow<Channel>(client, CHANNEL_LIST_KEY, id, { balance, balance_updated_time: now });
      void client.invalidateQueries({ queryKey: channelKey(id) });
    },
  });
}
