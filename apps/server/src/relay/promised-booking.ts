import type { Payer, Reservation, ReserveOutcome, Settlement, SettleOutcome } from "../ledger/ledger-operation.ts";
import type { Ledger } from "../ledger/ledger.ts";

export type SettleCallback = (error: Error | undefined, outcome: SettleOutcome | undefined) => void;

export interface Booking {
  reserve(reservation: Reservation): ReserveOutcome | Promise<ReserveOutcome>;
  settle(settlement: Settlement, done: SettleCallback): void;
  release(hold: Payer & { requestId: string }): void | Promise<void>;
}

export function promisedBooking(ledger: Ledger): Booking {
  const release = async (hold: Payer & { requestId: string }): Promise<void> => {
    await ledger.settle({ ...hold, channelId: 0, charge: undefined, at: 0, log: undefined }).catch(() => {
      setTimeout(() => void release(hold), 500);
    });
  };
  return {
    reserve: (reservation) => ledger.reserve(reservation),
    settle: (settlement, done) => {
      ledger.settle(settlement).then(
        (outcome) => done(undefined, outcome),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), undefined),
      );
    },
    release,
  };
}
