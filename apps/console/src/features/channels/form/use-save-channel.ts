import type { Channel } from "@one-api/contract/channels/channel";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { mergeEdits } from "../../../components/form/merge-edits.ts";
import { formatTwoDecimals } from "../../../lib/format.ts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess, toastWarning } from "../../../lib/toasts/toasts.ts";
import { channelQuery } from "../channel-queries.ts";
import { useCreateChannel, useTestChannel, useUpdateChannel } from "../channel-mutations.ts";
import type { SavePhase } from "./aside/test-steps.tsx";
import {
  type ChannelFormState,
  type ChannelValues,
  countKeys,
  createChannelPayload,
  storedChannelValues,
  updateChannelPayload,
} from "./channel-form-model.ts";

function createdText(values: ChannelValues, t: Translate<"channels">): string {
  const { count, repeated } = values.isBatch ? countKeys(values) : { count: 1, repeated: 0 };
  const created = t("created", { count, name: values.name.trim() });
  return repeated === 0 ? created : `${created}. ${t("repeatedKeys", { count: repeated })}`;
}

/** Returns a function that tests channels and resolves to the ids of those that failed. */
function useTestEach() {
  const { t } = useTranslation("channels");
  const test = useTestChannel({ quiet: true });
  const testEach = async (ids: readonly number[]): Promise<number[]> => {
    const failed: number[] = [];
    for (const id of ids) {
      try {
        // One after the other: a provider that gets many keys at once limits them all.
        const { modelName, time } = await test.mutateAsync({ id, model: "" });
        if (ids.length === 1) toastSuccess(t("test.success", { model: modelName, seconds: formatTwoDecimals(time) }));
      } catch {
        failed.push(id);
      }
    }
    return failed;
  };
  return { testEach, isTesting: test.isPending };
}

/**
 * Saves a new or stored channel, and tests it if requested. After a failed test the channel's form stays and shows the
 * reason; else it returns to the list.
 */
export function useSaveChannel(form: ChannelFormState, channel: Channel | undefined) {
  const { t } = useTranslation("channels");
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useCreateChannel();
  const update = useUpdateChannel();
  const { testEach, isTesting } = useTestEach();
  const toRepair = useRef<number>(undefined);

  const save = async (values: ChannelValues): Promise<readonly number[]> => {
    toRepair.current = undefined;
    if (channel === undefined) {
      const created = await create.mutateAsync(createChannelPayload(values));
      toastSuccess(createdText(values, t));
      return created.ids;
    }
    const stored = await client.fetchQuery({ ...channelQuery(channel.id), staleTime: 0 });
    await update.mutateAsync(updateChannelPayload(mergeEdits(form, values, storedChannelValues(stored)), stored));
    toastSuccess(t("saved", { name: values.name.trim() }));
    return [channel.id];
  };

  const saveAndTest = async (values: ChannelValues): Promise<void> => {
    const ids = await save(values);
    const failed = await testEach(ids);
    if (ids.length === 1) toRepair.current = failed[0];
    else if (failed.length > 0) toastWarning(t("test.someFailed", { count: failed.length, total: ids.length }));
  };

  const onSaved = () => {
    const id = toRepair.current;
    if (id === undefined) void navigate({ to: "/channel" });
    else if (channel === undefined) void navigate({ to: "/channel/edit/$id", params: { id }, replace: true });
    else {
      form.setFieldValue("key", "");
      form.resetDirty({ ...form.values, key: "" });
    }
  };
  const isSaving = create.isPending || update.isPending;
  const phase: SavePhase | undefined = isTesting ? "testing" : isSaving ? "saving" : undefined;
  return { save, saveAndTest, onSaved, phase };
}
