import { setTimeout as wait } from "node:timers/promises";
import type { SettleOutcome } from "../ledger/ledger-operation.ts";

/** An answer is withheld this long for its settlement, in ms. */
const WITHHOLD_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** The settlement could not be committed in time; it goes on being tried. */
export class NotSettledError extends Error {
  override name = "NotSettledError";
}

/**
 * Settles, and keeps trying while the database is out of reach. Resolves after the commit; throws NotSettledError after 30 s, while the
 * attempts go on in the background for as long as the process lives. Settling twice is harmless: the ledger does it once.
 */
export async function settleSurely(settle: () => Promise<SettleOutcome>): Promise<SettleOutcome> {
  try {
    return await settle();
  } catch {
    const settled = retryForever(settle);
    const late = new AbortController();
    const timeout = wait(WITHHOLD_MS, undefined, { signal: late.signal, ref: false }).then(() => {
      throw new NotSettledError("The charge could not be booked in time.");
    });
    timeout.catch(() => undefined);
    const outcome = await Promise.race([settled, timeout]);
    late.abort();
    return outcome;
  }
}

async function retryForever(settle: () => Promise<SettleOutcome>): Promise<SettleOutcome> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await settle();
    } catch {
      await wait(pauseMs);
    }
  }
}
