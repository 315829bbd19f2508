import type { Failure } from "@one-api/providers/failure";
import type { Logger } from "pino";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import {
  type AutomaticContext,
  type ChannelForRelay,
  type ChannelKeyForRelay,
  type ChannelReason,
  recordDecision,
  makeChannelDormant,
  refusalIn,
  setHint,
} from "../../features/channels/index.ts";
import type { ChannelHealth, Cooldown } from "./channel-health.ts";
import type { Candidate } from "./find-candidates.ts";

/** Writes what attempts reveal about a channel to its row. Never throws, and is not awaited. */
export interface ChannelEvents {
  /** The provider limits the whole account until then (Unix ms). */
  accountLimited(channel: ChannelForRelay, untilMs: number, message: string): void;
  /** A cooldown of the model or the channel began. */
  rested(route: Candidate, rest: Cooldown, failure: Failure): void;
  /** A cooldown of the model began because callers gave up waiting; it ends then (Unix ms). */
  leftUnanswered(route: Candidate, untilMs: number): void;
  /** The attempt failed: a refused key or account leaves a hint in the row. */
  failed(channel: ChannelForRelay, failure: Failure): void;
  answered(channel: ChannelForRelay): void;
  written(): Promise<unknown>;
}

interface OutcomeServices {
  readonly health: ChannelHealth;
  readonly events: ChannelEvents;
  readonly disableChannel: (channelId: number, reason: ChannelReason) => void;
  readonly disableKey: (channelId: number, keyId: number, reason: ChannelReason) => void;
}

type UsedKey = ChannelKeyForRelay | undefined;

export function recordSuccess({ health, events }: OutcomeServices, route: Candidate, key?: UsedKey): void {
  health.recordSuccess(route.id, route.upstreamModel);
  if (key !== undefined) health.keysOf(route.id).recordSuccess(key.id, route.upstreamModel);
  events.answered(route.channel);
}

/** True for a failure of the key or its account: other keys of the channel may be answered. */
export function isOfKey({ kind }: Failure): boolean {
  return kind === "rate-limited" || kind === "bad-credential" || kind === "out-of-credit";
}

/** Records a failure of one of several keys: its cooldown, and its end if it is refused again. */
function recordKeyFailure(services: OutcomeServices, route: Candidate, failure: Failure, keyId: number): void {
  const verdict = services.health.keysOf(route.id).recordFailure(keyId, route.upstreamModel, failure);
  const reason = refusalIn(failure);
  if (verdict.action !== "disable" || reason === undefined) return;
  const { message: said } = failure;
  services.disableKey(route.id, keyId, {
    ...reason,
    message: `The provider refused the key: ${said}`,
    parts: { said },
  });
}

export function recordFailure(services: OutcomeServices, route: Candidate, failure: Failure, key?: UsedKey): void {
  if (key !== undefined && isOfKey(failure)) return recordKeyFailure(services, route, failure, key.id);
  const verdict = services.health.recordFailure(route.id, route.upstreamModel, failure);
  services.events.failed(route.channel, failure);
  const rest = services.health.cooldownOf(route.id, route.upstreamModel);
  if (verdict.action === "sleep") services.events.accountLimited(route.channel, verdict.untilMs, failure.message);
  else if (rest !== undefined) services.events.rested(route, rest, failure);
  const reason = refusalIn(failure);
  if (verdict.action === "disable" && reason !== undefined) {
    const { message: said } = failure;
    services.disableChannel(route.id, { ...reason, message: `The provider refused the key: ${said}`, parts: { said } });
  }
}

interface UnansweredServices extends Pick<OutcomeServices, "health" | "events"> {
  readonly timeouts: { readonly streamFirstByteMs: number; readonly answerFirstByteMs: number };
}

/**
 * Records that a caller disconnected before the channel began to answer. Impatient callers leave no timeout behind, so several in a row start a
 * cooldown of the model.
 */
export function recordUnanswered(
  { health, events, timeouts }: UnansweredServices,
  route: Candidate,
  { caller, parsed }: { readonly caller: { readonly userId: number }; readonly parsed: { readonly stream: boolean } },
  silentMs: number,
): void {
  const { streamFirstByteMs, answerFirstByteMs } = timeouts;
  const waitMs = parsed.stream ? (route.channel.deadlines?.firstTokenMs ?? streamFirstByteMs) : answerFirstByteMs;
  const untilMs = health.recordUnanswered(route.id, route.upstreamModel, { userId: caller.userId, silentMs, waitMs });
  if (untilMs !== undefined) events.leftUnanswered(route, untilMs);
}

/** Builds the events. Writes are serialised, so that a hint and its removal keep their order. */
export function createChannelEvents(context: AutomaticContext, log: Logger): ChannelEvents {
  const rests = createRestCounts(context.clock);
  let last: Promise<unknown> = Promise.resolve();
  const write = (channelId: number, work: () => Promise<unknown>) => {
    last = last
      .then(work)
      .catch((error: unknown) =>
        log.error({ err: error, channelId }, "a channel's row could not be brought up to date"),
      );
  };
  const hints = new KeyHints((channelId, reason) =>
    write(channelId, async () => {
      const changed = await setHint(context.database.db, context, channelId, reason);
      if (changed) context.changes.announce("channels");
    }),
  );
  return {
    accountLimited({ id }, untilMs, message) {
      write(id, () => makeChannelDormant(context, id, Math.ceil(untilMs / 1000), message));
    },
    rested({ id, upstreamModel }, { reason, untilMs }, failure) {
      const model = reason === "rate-limited" ? upstreamModel : "";
      const times = rests.count(`${id} ${reason} ${model}`);
      if (times === 0) return;
      const until = Math.ceil(untilMs / 1000);
      const code = reason === "refused" ? (refusalIn(failure)?.code ?? "key-refused") : reason;
      const kind = model === "" ? "rested" : "model-slept";
      const decision = { channelId: id, kind, model, code, message: failure.message, until, times } as const;
      write(id, () => recordDecision(context.database.db, decision, nowSeconds(context.clock)));
    },
    leftUnanswered({ id, upstreamModel: model }, untilMs) {
      const until = Math.ceil(untilMs / 1000);
      const decision = {
        channelId: id,
        kind: "model-slept",
        model,
        code: "silent",
        message: "",
        until,
        times: 1,
      } as const;
      write(id, () => recordDecision(context.database.db, decision, nowSeconds(context.clock)));
    },
    failed: (channel, failure) => hints.failed(channel, refusalIn(failure)),
    answered: (channel) => hints.answered(channel),
    written: () => last,
  };
}

type Refusal = NonNullable<ReturnType<typeof refusalIn>>;

class KeyHints {
  readonly #write: (channelId: number, reason: Refusal | undefined) => void;
  readonly #hinted = new Map<number, { readonly code: string; readonly channel: ChannelForRelay }>();
  readonly #cleared = new WeakSet<ChannelForRelay>();

  constructor(write: (channelId: number, reason: Refusal | undefined) => void) {
    this.#write = write;
  }

  failed(channel: ChannelForRelay, reason: Refusal | undefined): void {
    if (reason === undefined) return;
    const said = this.#hinted.get(channel.id);
    // Already written, unless the row was read without it since, for example after a change of the key.
    if (said?.code === reason.code && (channel.hinted || said.channel === channel)) return;
    this.#hinted.set(channel.id, { code: reason.code, channel });
    this.#write(channel.id, reason);
  }

  answered(channel: ChannelForRelay): void {
    const isHinted = this.#hinted.delete(channel.id) || (channel.hinted && !this.#cleared.has(channel));
    if (!isHinted) return;
    this.#cleared.add(channel);
    this.#write(channel.id, undefined);
  }
}

/** Interval in which repeated cooldowns of a channel are written once, in ms. */
const NOTED_EVERY_MS = 60_000;
const MOST_COUNTS = 10_000;

function createRestCounts(clock: Clock): { count(name: string): number } {
  const counts = new Map<string, { notedAtMs: number; since: number }>();
  return {
    count(name) {
      const now = clock.monotonicMs();
      const known = counts.get(name);
      if (known !== undefined && now - known.notedAtMs < NOTED_EVERY_MS) {
        known.since += 1;
        return 0;
      }
      if (counts.size >= MOST_COUNTS) counts.clear();
      counts.set(name, { notedAtMs: now, since: 0 });
      return 1 + (known?.since ?? 0);
    },
  };
}
