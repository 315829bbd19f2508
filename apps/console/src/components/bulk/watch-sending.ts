import { watchUnsaved } from "../../lib/state/unsaved-work.ts";

/** Counts what a form that is gone already has sent as work that would be lost, until it is done. */
export async function watchSending(sending: Promise<unknown>): Promise<void> {
  const stop = watchUnsaved(() => true);
  try {
    await sending;
  } finally {
    stop();
  }
}
