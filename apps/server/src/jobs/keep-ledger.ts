import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { repeatWork } from "../core/work/repeat-work.ts";
import { endRevoked } from "../relay/end-revoked.ts";
import type { Relay } from "../relay/create-relay.ts";

/** Between two beats, in ms: this process's sign of life, and checkpoints of the open streams. */
const BEAT_MS = 5_000;
/** Between two looks at the running calls, in ms: whose caller takes nothing, and whose leave has ended. */
const LOOK_MS = 5_000;
/** Between two looks for reservations of dead processes, in beats. */
const RECOVER_EVERY_BEATS = 3;

/** The keeping of the ledger while the server runs. */
export interface LedgerKeeper {
  /** Stops the beats; call it after the last request. */
  stop(): Promise<void>;
}

/**
 * Settles what dead processes left open, then keeps the ledger ready for this one's death: every 5 s it notes what open streams have
 * delivered, and ends the calls that could not be made any more. Throws when the first recovery fails, so that no server runs on balances that it could not put right.
 */
export async function keepLedger(relay: Relay, clock: Clock, log: Logger): Promise<LedgerKeeper> {
  const { upkeep, deps } = relay;
  const tell = (recovered: number) => {
    if (recovered > 0) log.warn({ recovered }, "settled requests that a stopped server left open");
  };
  tell(await upkeep.start());
  let beatsDone = 0;
  const beat = async () => {
    beatsDone += 1;
    if (!(await upkeep.beat()))
      log.warn(
        "other servers took this one for dead and settled its open requests; what they cost more is booked at their end",
      );
    const checkpoints = await deps.active.checkpoints();
    if (checkpoints.length > 0) await deps.ledger.checkpoint(checkpoints);
    if (beatsDone % RECOVER_EVERY_BEATS === 0) tell(await upkeep.recover());
  };
  const beats = repeatWork({ name: "ledger beat", everyMs: BEAT_MS, log }, beat);
  // Apart from the beats: however long it takes to ask for thousands of keys, this process must not be taken for dead.
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
      await beats.stop();
      await upkeep.stop();
    },
  };
}
