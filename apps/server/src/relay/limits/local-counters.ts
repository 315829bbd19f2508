import { LRUCache } from "lru-cache";
import type { ServerPlace } from "@one-api/ledger/ledger";
import type { LimitedSubject, Rule } from "../../features/limits/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { LimitState, Need } from "./limit-state.ts";
import { shareOfLimit } from "./share-of-limit.ts";
import { SlidingWindow } from "./sliding-window.ts";

const MAX_SUBJECTS = 50_000;

class Counters {
  reserved = 0;
  running = 0;
  /** By kind and seconds: subjects count what their rules name only. */
  readonly #windows = new Map<string, SlidingWindow>();

  window({ kind, seconds }: Rule): SlidingWindow {
    const name = `${kind} ${seconds}`;
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const window = new SlidingWindow(seconds);
    this.#windows.set(name, window);
    return window;
  }
}

/** Counts requests of this server, on the monotonic clock. */
export class LocalCounters {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #place: () => ServerPlace;
  readonly #known = new LRUCache<string, Counters>({ max: MAX_SUBJECTS });

  constructor(clock: Pick<Clock, "monotonicMs">, place: () => ServerPlace) {
    this.#clock = clock;
    this.#place = place;
  }

  /** Returns the limits with this server's share of them. */
  states(subjects: readonly LimitedSubject[]): LimitState[] {
    const [now, place] = [this.#clock.monotonicMs(), this.#place()];
    return subjects.flatMap((subject) => {
      const counters = this.#known.get(subject.name) ?? new Counters();
      return subject.rules.map((rule) => stateOf(subject, rule, counters, { now, place }));
    });
  }

  add(subjects: readonly LimitedSubject[], { modelTokens, isForImages }: Need): void {
    const now = this.#clock.monotonicMs();
    for (const { name, rules } of subjects) {
      const counters = this.#of(name);
      counters.running += 1;
      counters.reserved += modelTokens;
      for (const rule of rules)
        if (rule.kind === "requests" || (rule.kind === "images" && isForImages)) counters.window(rule).add(now, 1);
    }
  }

  settle(subjects: readonly LimitedSubject[], { modelTokens }: Need, used: number): void {
    const now = this.#clock.monotonicMs();
    for (const { name, rules } of subjects) {
      const counters = this.#of(name);
      // Counters of a subject that was forgotten meanwhile begin at 0.
      counters.running = Math.max(0, counters.running - 1);
      counters.reserved = Math.max(0, counters.reserved - modelTokens);
      for (const rule of rules) if (rule.kind === "tokens") counters.window(rule).add(now, used);
    }
  }

  #of(name: string): Counters {
    const counters = this.#known.get(name) ?? new Counters();
    this.#known.set(name, counters);
    return counters;
  }
}

function stateOf(
  subject: LimitedSubject,
  rule: Rule,
  counters: Counters,
  { now, place }: { readonly now: number; readonly place: ServerPlace },
): LimitState {
  const allowed = shareOfLimit(rule.limit, place);
  if (rule.kind === "concurrent") return { subject, rule, allowed, used: counters.running, resetSeconds: 0 };
  const window = counters.window(rule);
  return {
    subject,
    rule,
    allowed,
    used: window.total(now) + (rule.kind === "tokens" ? counters.reserved : 0),
    resetSeconds: window.secondsUntilFree(now, 1, allowed),
  };
}
