import type { Failure } from "@one-api/providers/failure";
import type { Logger } from "pino";
import {
  type AutomaticContext,
  type ChannelForRelay,
  type ChannelReason,
  putChannelToSleep,
  refusalIn,
  setHint,
} from "../../features/channels/index.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { Route } from "./pick-channel.ts";

/** What attempts tell about a channel that its row must show to everybody. Never throws, and nobody waits for it. */
export interface ChannelNotes {
  /** The provider limits the whole account until then (Unix ms). */
  accountLimited(channel: ChannelForRelay, untilMs: number): void;
  /** The attempt failed: a refused key or account leaves a hint in the row at once. */
  failed(channel: ChannelForRelay, failure: Failure): void;
  /** The provider answered: a hint goes away. */
  answered(channel: ChannelForRelay): void;
}

/** What the relay has to note outcomes with. */
interface NotingDependencies {
  readonly health: ChannelHealth;
  readonly notes: ChannelNotes;
  readonly disableChannel: (channelId: number, reason: ChannelReason) => void;
}

/** Keeps what a good answer says of the channel. */
export function noteSuccess({ health, notes }: NotingDependencies, route: Route): void {
  health.noteSuccess(route.id, route.upstreamModel);
  notes.answered(route.channel);
}

/** Keeps what a failure says of the channel, and does what follows from it. */
export function noteFailure(deps: NotingDependencies, route: Route, failure: Failure): void {
  const verdict = deps.health.noteFailure(route.id, route.upstreamModel, failure);
  deps.notes.failed(route.channel, failure);
  if (verdict.action === "sleep") deps.notes.accountLimited(route.channel, verdict.untilMs);
  const reason = refusalIn(failure);
  if (verdict.action === "disable" && reason !== undefined) {
    deps.disableChannel(route.id, { ...reason, message: `The provider refused the key: ${failure.message}` });
  }
}

/** Builds the notes. Writes follow each other, so that a hint and its end never change places. */
export function createChannelNotes(context: AutomaticContext, log: Logger): ChannelNotes {
  const hinted = new Map<number, string>();
  const cleared = new WeakSet<ChannelForRelay>();
  let last: Promise<unknown> = Promise.resolve();
  const write = (channelId: number, work: () => Promise<unknown>) => {
    last = last
      .then(work)
      .catch((error: unknown) =>
        log.error({ err: error, channelId }, "a channel's row could not be brought up to date"),
      );
  };
  const writeHint = (channelId: number, reason: ReturnType<typeof refusalIn>) =>
    write(channelId, async () => {
      const changed = await setHint(context.database.db, context, channelId, reason);
      if (changed) context.changes.announce("channels");
    });
  return {
    accountLimited({ id }, untilMs) {
      write(id, () => putChannelToSleep(context, id, Math.ceil(untilMs / 1000)));
    },
    failed({ id }, failure) {
      const reason = refusalIn(failure);
      if (reason === undefined || hinted.get(id) === reason.code) return;
      hinted.set(id, reason.code);
      writeHint(id, reason);
    },
    answered(channel) {
      const isHinted = hinted.delete(channel.id) || (channel.hinted && !cleared.has(channel));
      if (!isHinted) return;
      cleared.add(channel);
      writeHint(channel.id, undefined);
    },
  };
}
