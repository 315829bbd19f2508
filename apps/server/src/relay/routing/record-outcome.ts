import type { Failure } from "@one-api/providers/failure";
import type { Logger } from "pino";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import {
  type AutomaticContext,
  type ChannelForRelay,
  type ChannelReason,
  noteDecision,
  putChannelToSleep,
  refusalIn,
  setHint,
} from "../../features/channels/index.ts";
import type { ChannelHealth, Cooldown } from "./channel-health.ts";
import type { Candidate } from "./find-candidates.ts";

/** What attempts tell about a channel that its row must show to everybody. Never throws, and nobody waits for it. */
export interface ChannelEvents {
  /** The provider limits the whole account until then (Unix ms). */
  accountLimited(channel: ChannelForRelay, untilMs: number, message: string): void;
  /** The channel rests, for the model or as a whole. */
  rested(route: Candidate, rest: Cooldown, failure: Failure): void;
  /** The model rests until then (Unix ms), as nobody was answered and callers gave up waiting. */
  fellSilent(route: Candidate, untilMs: number): void;
  /** The attempt failed: a refused key or account leaves a hint in the row at once. */
  failed(channel: ChannelForRelay, failure: Failure): void;
  /** The provider answered: a hint goes away. */
  answered(channel: ChannelForRelay): void;
  /** Resolves when all that was told so far is in the database. */
  written(): Promise<unknown>;
}

/** What the relay has to note outcomes with. */
interface OutcomeServices {
  readonly health: ChannelHealth;
  readonly events: ChannelEvents;
  readonly disableChannel: (channelId: number, reason: ChannelReason) => void;
}

/** Keeps what a good answer says of the channel. */
export function recordSuccess({ health, events }: OutcomeServices, route: Candidate): void {
  health.recordSuccess(route.id, route.upstreamModel);
  events.answered(route.channel);
}

/** Keeps what a failure says of the channel, and does what follows from it. */
export function recordFailure(services: OutcomeServices, route: Candidate, failure: Failure): void {
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

/** What the silence of a channel is judged with. */
interface UnansweredServices extends Pick<OutcomeServices, "health" | "events"> {
  readonly timeouts: { readonly streamFirstByteMs: number; readonly answerFirstByteMs: number };
}

/**
 * Keeps that a caller has left before the channel began to answer. Callers with less patience than the gateway leave no timeout behind: where
 * several in a row leave so, the model rests there, and the next ones are sent elsewhere.
 */
export function recordUnanswered(
  { health, events, timeouts }: UnansweredServices,
  route: Candidate,
  { caller, ask }: { readonly caller: { readonly userId: number }; readonly ask: { readonly stream: boolean } },
  silentMs: number,
): void {
  const waitMs = ask.stream ? timeouts.streamFirstByteMs : timeouts.answerFirstByteMs;
  const untilMs = health.recordUnanswered(route.id, route.upstreamModel, { userId: caller.userId, silentMs, waitMs });
  if (untilMs !== undefined) events.fellSilent(route, untilMs);
}

/** Builds the events. Writes follow each other, so that a hint and its end never change places. */
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
      write(id, () => putChannelToSleep(context, id, Math.ceil(untilMs / 1000), message));
    },
    rested({ id, upstreamModel }, { reason, untilMs }, failure) {
      const model = reason === "rate-limited" ? upstreamModel : "";
      const times = rests.count(`${id} ${reason} ${model}`);
      if (times === 0) return;
      const until = Math.ceil(untilMs / 1000);
      const code = reason === "refused" ? (refusalIn(failure)?.code ?? "key-refused") : reason;
      const kind = model === "" ? "rested" : "model-slept";
      const decision = { channelId: id, kind, model, code, message: failure.message, until, times } as const;
      write(id, () => noteDecision(context.database.db, decision, nowSeconds(context.clock)));
    },
    fellSilent({ id, upstreamModel: model }, untilMs) {
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
      write(id, () => noteDecision(context.database.db, decision, nowSeconds(context.clock)));
    },
    failed: (channel, failure) => hints.failed(channel, refusalIn(failure)),
    answered: (channel) => hints.answered(channel),
    written: () => last,
  };
}

type Refusal = NonNullable<ReturnType<typeof refusalIn>>;

/** Which channels have a hint of why their key is refused: written when that changes, and not with every call. */
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
    // It stands there already, unless the channel was read anew without it: then its key was changed, say.
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

/** A channel that rests again and again is written down once in this time, in ms. */
const NOTED_EVERY_MS = 60_000;
/** Counts of so many rests are remembered; after that all begin anew. */
const MOST_COUNTS = 10_000;

/** Counts rests between two that are written down: a provider that limits every request must not make each of them a write. */
function createRestCounts(clock: Clock): { count(name: string): number } {
  const counts = new Map<string, { notedAtMs: number; since: number }>();
  return {
    /** How many to write down now, this one among them; 0 while it can wait. */
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
