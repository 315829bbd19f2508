import type { Channel } from "@one-api/contract/channels/channel";
import { useState } from "react";
import { formatTwoDecimals } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useTestChannel } from "../channel-mutations.ts";

export interface TestModels {
  modelOf(id: number): string;
  choose(id: number, model: string): void;
}

export function useTestModels(): TestModels {
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(new Map());
  return {
    modelOf: (id) => chosen.get(id) ?? "",
    choose: (id, model) => setChosen((before) => new Map(before).set(id, model)),
  };
}

/** Tests channels, several at a time. */
export function useChannelTests(modelOf: TestModels["modelOf"]) {
  const { t } = useTranslation("channels");
  const test = useTestChannel();
  const [running, setRunning] = useState<ReadonlySet<number>>(new Set());
  const start = async (channel: Channel) => {
    setRunning((before) => new Set(before).add(channel.id));
    try {
      const { modelName, time } = await test.mutateAsync({ id: channel.id, model: modelOf(channel.id) });
      toastSuccess(t("test.success", { model: modelName, seconds: formatTwoDecimals(time) }));
    } catch {
      // Why it failed is shown by the central toast of failed calls.
    } finally {
      setRunning((before) => new Set([...before].filter((id) => id !== channel.id)));
    }
  };
  return { isTesting: (id: number) => running.has(id), start };
}
