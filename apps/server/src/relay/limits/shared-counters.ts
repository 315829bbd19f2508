import { z } from "zod";
import { randomText } from "../../core/secrets.ts";
import type { LimitedSubject } from "../../features/limits/index.ts";
import type { Redis } from "../../platform/redis.ts";
import { COUNT_SCRIPT } from "./count-script.ts";
import type { LimitState, Need } from "./limit-state.ts";

/** A request that counts. */
export interface Claim {
  readonly id: string;
  readonly subjects: readonly LimitedSubject[];
  readonly need: Need;
}

export interface SharedAnswer {
  readonly isAdmitted: boolean;
  readonly states: readonly LimitState[];
}

/** A running request of a killed server is forgotten after this time. */
const LEASE_MS = 30_000;
const RENEWALS_PER_LEASE = 3;
const RENEWED_AT_ONCE = 500;

const answerSchema = z.array(z.number()).min(1);

/** Counters of all servers, in Redis or Valkey. One round trip a call; calls of one moment are pipelined. */
export class SharedCounters {
  readonly #redis: Pick<Redis, "run" | "isReady">;
  readonly #prefix: string;
  readonly #leaseMs: number;
  readonly #running = new Map<string, Claim>();
  readonly #renewing: NodeJS.Timeout;
  readonly #server = randomText(12);
  #claims = 0;

  /** `installation` separates installations that use the same Redis. */
  constructor(redis: Pick<Redis, "run" | "isReady">, installation: string, leaseMs = LEASE_MS) {
    this.#redis = redis;
    this.#prefix = `one-api:limits:${installation}:`;
    this.#leaseMs = leaseMs;
    this.#renewing = setInterval(() => this.#renew(), leaseMs / RENEWALS_PER_LEASE).unref();
  }

  get isReady(): boolean {
    return this.#redis.isReady;
  }

  nextId(): string {
    this.#claims += 1;
    return `${this.#server}-${this.#claims}`;
  }

  /** Counts a request unless a limit is reached. Undefined if Redis is lost, at once or without an answer in time. */
  admit(claim: Claim): Promise<SharedAnswer | undefined> | undefined {
    const { id, subjects, need } = claim;
    const call = { op: "admit", id, tokens: need.modelTokens, images: need.isForImages };
    return this.#ask(call, subjects);
  }

  read(subjects: readonly LimitedSubject[]): Promise<SharedAnswer | undefined> | undefined {
    return this.#ask({ op: "read", images: false }, subjects);
  }

  /** Prolongs the lease of an admitted request until it is settled. */
  hold(claim: Claim): void {
    this.#running.set(claim.id, claim);
  }

  /** Ends a request. Nothing is sent while Redis is lost: its lease ends. */
  settle({ id, subjects }: Claim, used: number): void {
    this.#running.delete(id);
    void this.#run({ op: "settle", id, used, subjects: subjects.map(this.#toText) });
  }

  readonly #toText = ({ name, rules }: LimitedSubject) => ({
    name: this.#prefix + name,
    rules: rules.map(({ kind, seconds, limit }) => [kind, seconds, limit]),
  });

  close(): void {
    clearInterval(this.#renewing);
  }

  #ask(call: object, subjects: readonly LimitedSubject[]): Promise<SharedAnswer | undefined> | undefined {
    const answer = this.#run({ ...call, subjects: subjects.map(this.#toText) });
    return answer?.then((numbers) => readAnswer(numbers, subjects));
  }

  #run(call: object): Promise<unknown> | undefined {
    return this.#redis.run(COUNT_SCRIPT, [], [JSON.stringify({ ...call, lease: this.#leaseMs })]);
  }

  #renew(): void {
    const claims = [...this.#running.values()].map(({ id, subjects, need }) => ({
      id,
      tokens: need.modelTokens,
      names: subjects.filter(isHeld).map(({ name }) => this.#prefix + name),
    }));
    for (let at = 0; at < claims.length; at += RENEWED_AT_ONCE)
      void this.#run({ op: "renew", claims: claims.slice(at, at + RENEWED_AT_ONCE) });
  }
}

/** True for limits that need to know the running requests. */
function isHeld({ rules }: LimitedSubject): boolean {
  return rules.some(({ kind }) => kind === "concurrent" || kind === "tokens");
}

function readAnswer(answer: unknown, subjects: readonly LimitedSubject[]): SharedAnswer | undefined {
  const read = answerSchema.safeParse(answer);
  if (!read.success) return undefined;
  const [outcome = 0, ...numbers] = read.data;
  const rules = subjects.flatMap((subject) => subject.rules.map((rule) => ({ subject, rule })));
  const states = rules.map(({ subject, rule }, index) => ({
    subject,
    rule,
    allowed: rule.limit,
    used: numbers[index * 2] ?? 0,
    resetSeconds: numbers[index * 2 + 1] ?? 0,
  }));
  return { isAdmitted: outcome > 0, states };
}
