import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { repeatWork } from "../core/work/repeat-work.ts";
import { endRevoked } from "../relay/end-revoked.ts";
import type { Relay } from "../relay/create-relay.ts";

/** Between two checkpoints of the open streams, in ms. */
const CHECKPOINT_MS = 5_000;
/** Between two looks at the running calls, in ms: whose caller takes nothing, and whose leave has ended. */
const LOOK_MS = 5_000;

/** The keeping of the ledger while the server runs. */
export interface LedgerKeeper {
  /** Stops the work; call it after the last request. */
  stop(): Promise<void>;
}

/**
 * Settles what dead processes left open, then keeps the ledger ready for this one's death: every 5 s it notes what open streams have
 * delivered, and ends the calls that could not be made any more. Throws when the first recovery fails, so that no server runs on balances that it could not put right.
 */
export async function keepLedger(relay: Relay, clock: Clock, log: Logger): Promise<LedgerKeeper> {
  const { server, deps } = relay;
  const recovered = await server.start();
  if (recovered > 0) log.warn({ recovered }, "settled requests that a stopped server left open");
  const checkpoints = repeatWork({ name: "checkpoints", everyMs: CHECKPOINT_MS, log }, async () => {
    const noted = await deps.active.checkpoints();
    if (noted.length > 0) await deps.ledger.checkpoint(noted);
  });
  // Apart from the checkpoints: however long it takes to ask for thousands of keys, what was delivered is noted.
  const looks = repeatWork({ name: "look at running calls", everyMs: LOOK_MS, log }, async () => {
    deps.active.cutStalled(clock.monotonicMs());
    await endRevoked(deps);
  });
  // Apart from the looks, which wait for the database.
  const keepAlives = repeatWork({ name: "keep-alive of silent streams", everyMs: LOOK_MS, log }, async () => {
    deps.active.keepAlive(clock.monotonicMs());
  });
  return {
    async stop() {
      await keepAlives.stop();
      await looks.stop();
      await checkpoints.stop();
    },
  };
}
