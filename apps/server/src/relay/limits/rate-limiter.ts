import { LRUCache } from "lru-cache";
import type { ServerPlace } from "@one-api/ledger/ledger";
import type { CountedLimits } from "../../features/limit-use/index.ts";
import type { CallerLimits, LimitedSubject } from "../../features/limits/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { AdmissionQueue } from "./admission-queue.ts";
import { LimitReachedError } from "./limit-reached.ts";
import { findReached, type LimitHeaders, type LimitState, type Need, type WriteLimits } from "./limit-state.ts";
import { LocalCounters } from "./local-counters.ts";
import type { Claim, SharedAnswer, SharedCounters } from "./shared-counters.ts";

export interface Admission {
  readonly states: readonly LimitState[];
  headers(write: WriteLimits): LimitHeaders;
  /** Ends the request: the model tokens used replace those reserved. Idempotent. */
  settle(modelTokens: number): void;
}

const NO_HEADERS: LimitHeaders = {};

export const UNLIMITED: Admission = { states: [], headers: () => NO_HEADERS, settle: () => undefined };

const NOTHING: Need = { models: [], modelTokens: 0, isForImages: false };

const MAX_SEEN = 10_000;
/** Time for which an answer of Redis describes a limit, in ms. */
const SEEN_MS = 60_000;

export interface LimiterParts {
  readonly clock: Clock;
  readonly place: () => ServerPlace;
  readonly shared: SharedCounters | undefined;
  /** Longest wait of a request at a limit, in ms; 0 refuses at once. */
  readonly queueMs?: () => number;
}

interface Seen {
  readonly states: readonly LimitState[];
  readonly atMs: number;
}

function subjectsOf({ subjects, models: limited }: CallerLimits, models: readonly string[]): readonly LimitedSubject[] {
  if (limited.size === 0) return subjects;
  const ofModels = models.flatMap((model) => limited.get(model) ?? []);
  return ofModels.length === 0 ? subjects : [...subjects, ...ofModels];
}

/** Admits requests under the limits of their callers. All servers count together in Redis; while it is lost, each server enforces its share. */
export class RateLimiter {
  readonly #clock: LimiterParts["clock"];
  readonly #shared: SharedCounters | undefined;
  readonly #local: LocalCounters;
  readonly #seen = new LRUCache<string, Seen>({ max: MAX_SEEN });
  readonly #place: () => ServerPlace;
  readonly #queueMs: () => number;
  readonly #queue = new AdmissionQueue<Admission>();

  constructor({ clock, place, shared, queueMs = () => 0 }: LimiterParts) {
    this.#clock = clock;
    this.#place = place;
    this.#queueMs = queueMs;
    this.#shared = shared;
    this.#local = new LocalCounters(clock, place);
  }

  /**
   * Counts a request: at once without limits or without Redis. Throws or rejects with a LimitReachedError. A request is admitted while model tokens
   * are left, so usage in a window exceeds a limit by at most the upper bound of one request. With `gone` a request may wait for the limit; the
   * signal is read only then.
   */
  admit(
    limits: CallerLimits | undefined,
    need: Need = NOTHING,
    gone?: () => AbortSignal,
  ): Admission | Promise<Admission> {
    if (limits === undefined) return UNLIMITED;
    const subjects = subjectsOf(limits, need.models);
    if (subjects.length === 0) return UNLIMITED;
    const claim = { id: this.#shared?.nextId() ?? "", subjects, need };
    const waitMs = gone === undefined ? 0 : this.#queueMs();
    if (gone === undefined || waitMs === 0) return this.#try(claim);
    const names = subjects.map(({ name }) => name);
    return this.#queue.admit(names, () => this.#try(claim), { waitMs, gone });
  }

  #try(claim: Claim): Admission | Promise<Admission> {
    const asked = this.#shared?.admit(claim);
    if (asked === undefined) return this.#admitHere(claim);
    return asked.then((answer) => (answer === undefined ? this.#admitHere(claim) : this.#admitShared(claim, answer)));
  }

  /** Counts a request that ends at once and takes no model tokens. Throws or rejects as `admit` does. */
  count(limits: CallerLimits | undefined): void | Promise<void> {
    const admission = this.admit(limits);
    if (admission instanceof Promise) return admission.then((admitted) => admitted.settle(0));
    admission.settle(0);
  }

  /** Returns the counters: of all servers if Redis answers, else of this one. */
  async read(subjects: readonly LimitedSubject[]): Promise<CountedLimits> {
    const answer = subjects.length === 0 ? undefined : await this.#shared?.read(subjects);
    const servers = this.#place().count;
    if (answer !== undefined) return { countsAllServers: true, servers, states: answer.states };
    return { countsAllServers: servers === 1, servers, states: this.#local.states(subjects) };
  }

  /** Returns the headers of the limits as known here, without a question to Redis. */
  headers(limits: CallerLimits | undefined, write: WriteLimits, models: readonly string[] = []): LimitHeaders {
    if (limits === undefined) return NO_HEADERS;
    return write(subjectsOf(limits, models).flatMap(this.#statesOf), this.#clock.nowMs());
  }

  readonly #statesOf = (subject: LimitedSubject): readonly LimitState[] => {
    const seen = this.#shared?.isReady === true ? this.#seen.get(subject.name) : undefined;
    const isRecent = seen !== undefined && this.#clock.monotonicMs() - seen.atMs < SEEN_MS;
    return isRecent ? seen.states : this.#local.states([subject]);
  };

  #admitHere(claim: Claim): Admission {
    const reached = findReached(this.#local.states(claim.subjects), claim.need);
    if (reached !== undefined) throw new LimitReachedError(reached);
    const settle = this.#take(claim);
    return this.#admission(this.#local.states(claim.subjects), settle);
  }

  #admitShared(claim: Claim, { isAdmitted, states }: SharedAnswer): Admission {
    this.#remember(claim.subjects, states);
    const reached = isAdmitted ? undefined : findReached(states, claim.need);
    if (reached !== undefined) throw new LimitReachedError(reached);
    return this.#admission(states, this.#take(claim));
  }

  #admission(states: readonly LimitState[], settle: Admission["settle"]): Admission {
    return { states, headers: (write) => write(states, this.#clock.nowMs()), settle };
  }

  #remember(subjects: readonly LimitedSubject[], states: readonly LimitState[]): void {
    const atMs = this.#clock.monotonicMs();
    for (const subject of subjects)
      this.#seen.set(subject.name, { states: states.filter((state) => state.subject === subject), atMs });
  }

  #take(claim: Claim): Admission["settle"] {
    const { subjects, need } = claim;
    this.#local.add(subjects, need);
    this.#shared?.hold(claim);
    let isSettled = false;
    return (used) => {
      if (isSettled) return;
      isSettled = true;
      this.#local.settle(subjects, need, used);
      this.#shared?.settle(claim, used);
      this.#queue.wake(subjects);
    };
  }
}
