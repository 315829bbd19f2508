import type { Logger } from "pino";
import type { OptionStore } from "../../../core/option-store.ts";
import type { AutomaticContext } from "./change-channel-automatically.ts";
import { disableSpentChannels } from "./disable-spent-channels.ts";
import { restockChannels } from "./restock-channels.ts";

/** Between two looks without a reason, in ms: other processes change channels too. */
const LOOK_EVERY_MS = 60_000;

/** The keeping of the channels while the server runs. */
export interface ChannelKeeper {
  /** Looks now. Resolves when what has to be done is done; failures are logged. */
  look(): Promise<void>;
  /** Stops looking; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** Keeps channels that have spent their limit disabled and the stock of enabled ones full: after each change of channels or options, and every minute. */
export function keepChannels(
  context: AutomaticContext,
  { options, log }: { readonly options: OptionStore; readonly log: Logger },
): ChannelKeeper {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  const work = async (): Promise<void> => {
    do {
      again = false;
      try {
        await disableSpentChannels(context, options.number("QuotaPerUnit"));
        if (options.flag("AutoAddChannelEnabled")) await restockChannels(context, options.number("QuotaForAddChannel"));
      } catch (error) {
        log.error({ err: error }, "the channels could not be looked after");
      }
    } while (again && !stopped);
    running = undefined;
  };
  const look = (): Promise<void> => {
    again = true;
    if (stopped) return running ?? Promise.resolve();
    running ??= work();
    return running;
  };
  const unsubscribe = [
    context.changes.subscribe("channels", () => void look()),
    context.changes.subscribe("options", () => void look()),
  ];
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  void look();
  return {
    look,
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const end of unsubscribe) end();
      await running;
    },
  };
}
