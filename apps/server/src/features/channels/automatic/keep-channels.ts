import type { Logger } from "pino";
import type { OptionStore } from "../../../core/option-store.ts";
import { repeatWork } from "../../../core/work/repeat-work.ts";
import type { AutomaticContext } from "./change-channel-automatically.ts";
import { disableSpentChannels } from "./disable-spent-channels.ts";
import { restockChannels } from "./restock-channels.ts";

/** Between two looks without a reason, in ms: other processes change channels too. */
const LOOK_EVERY_MS = 60_000;

/** The keeping of the channels while the server runs. */
export interface ChannelKeeper {
  /** Stops looking; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** Keeps channels that have spent their limit disabled and the stock of enabled ones full: after each change of channels or options, and every minute. */
export function keepChannels(
  context: AutomaticContext,
  { options, log }: { readonly options: OptionStore; readonly log: Logger },
): ChannelKeeper {
  const looks = repeatWork({ name: "channel keeping", everyMs: LOOK_EVERY_MS, log }, async () => {
    await disableSpentChannels(context, options.number("QuotaPerUnit"));
    if (options.flag("AutoAddChannelEnabled")) await restockChannels(context, options.number("QuotaForAddChannel"));
  });
  const unsubscribe = [
    context.changes.subscribe("channels", () => void looks.soon()),
    context.changes.subscribe("options", () => void looks.soon()),
  ];
  void looks.soon();
  return {
    async stop() {
      for (const end of unsubscribe) end();
      await looks.stop();
    },
  };
}
