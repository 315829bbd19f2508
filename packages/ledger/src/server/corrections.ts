import type { SettleCallback, Settlement, SettleOutcome } from "../ledger.ts";
import { chargeShares, findShares, refundRow, type RunningRequest } from "./request.ts";
import type { Session } from "./session.ts";
import type { Settler } from "./settler.ts";
import type { ShareTable } from "./share-table.ts";

/** Time after the last attempt in which a charge can be lowered whose caller may believe that nothing was charged, in ms. */
const CORRECTABLE_MS = 60_000;

const NOTHING: SettleOutcome = { settled: false, charged: 0 };

interface Correctable {
  readonly request: RunningRequest;
  readonly expiry: NodeJS.Timeout;
}

/** Lowers charges in the journal by a refund; at most one for each request. */
export class Corrections {
  readonly #parts: { readonly session: Session; readonly settler: Settler; readonly shares: ShareTable };
  readonly #ended = new Map<string, Correctable>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: { readonly session: Session; readonly settler: Settler; readonly shares: ShareTable }) {
    this.#parts = parts;
  }

  keep(request: RunningRequest): void {
    const { requestId } = request.reservation;
    clearTimeout(this.#ended.get(requestId)?.expiry);
    const expiry = setTimeout(() => this.#ended.delete(requestId), CORRECTABLE_MS).unref();
    this.#ended.set(requestId, { request, expiry });
  }

  /** Settles a request that has ended once more. */
  correctEnded(settlement: Settlement, done: SettleCallback): void {
    const ended = this.#ended.get(settlement.requestId);
    if (ended === undefined) done(undefined, NOTHING);
    else this.correct(ended.request, settlement, done);
  }

  /** Settles a request whose charge is in the journal. */
  correct(request: RunningRequest, settlement: Settlement, done: SettleCallback): void {
    const { session, settler, shares } = this.#parts;
    const { requestId, charge = 0 } = settlement;
    const end: SettleCallback = (error, outcome) => {
      this.keep(request);
      done(error, outcome);
    };
    const lookUp = session
      .onShares(() => session.storage.look([requestId]))
      .then((found) => {
        const entry = found.get(requestId);
        if (entry === undefined) return end(undefined, NOTHING);
        const booked = entry.quota - entry.refunded;
        // Another server charged the delivered part: the end of the answer is not paid.
        if (request.state === "fenced" && charge > booked) return end(undefined, NOTHING);
        if (charge >= booked || entry.refunded > 0) return end(undefined, { settled: true, charged: booked });
        const refund = { user: booked - charge, token: entry.tokenAmount - Math.min(charge, entry.tokenAmount) };
        const row = refundRow(settlement, refund, { owner: session.owner.id, shares: request.shares });
        settler.add(row, (error) => {
          if (error !== undefined) return end(error, undefined);
          // Journal entries are applied in order: later ones may use it at once.
          const current = findShares(shares, request.reservation, request.shares.windows);
          chargeShares(shares, current, { user: -refund.user, token: -refund.token });
          end(undefined, { settled: true, charged: charge });
        });
      })
      .catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error)), undefined))
      .finally(() => this.#underWay.delete(lookUp));
    this.#underWay.add(lookUp);
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
