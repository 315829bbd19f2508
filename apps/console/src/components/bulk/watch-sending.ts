import { watchUnsaved } from "../../lib/state/unsaved-work.ts";

/** Counts a running send of a closed form as unsaved work until it ends. */
export async function watchSending(sending: Promise<unknown>): Promise<void> {
  const stop = watchUnsaved(() => true);
  try {
    await sending;
  } finally {
    stop();
  }
}
