import { setImmediate as nextTurn } from "node:timers/promises";

/** One piece of work that waits for the next commit. */
interface Waiting<Operation, Outcome> {
  readonly operation: Operation;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Runs a group in one transaction and returns each operation's outcome, in order. `attempt` counts from 1. */
export type RunGroup<Operation, Outcome> = (
  group: readonly Operation[],
  attempt: number,
) => Promise<readonly Outcome[]>;

/** Most operations of one transaction, so that no caller waits for an endless one. */
const GROUP_SIZE = 256;
const ATTEMPTS = 3;
/** A group that keeps growing waits this many turns of the event loop at the most: a commit costs more than a turn. */
const MOST_TURNS = 8;

/**
 * Commits operations in groups: a group gathers for as long as every turn of the event loop brings more, and what arrives while a
 * commit is under way shares the next one. Returns how to add an operation; its promise settles after the commit.
 * A group that fails is tried again, then one by one, so that one bad operation fails alone.
 */
export function createGroupCommit<Operation, Outcome>(
  runGroup: RunGroup<Operation, Outcome>,
): (operation: Operation) => Promise<Outcome> {
  let queue: Waiting<Operation, Outcome>[] = [];
  let running = false;

  const commit = async (group: readonly Waiting<Operation, Outcome>[]) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const outcomes = await runGroup(
          group.map((waiting) => waiting.operation),
          attempt,
        );
        for (const [index, waiting] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome === undefined) waiting.reject(new Error("An operation of the ledger has no outcome."));
          else waiting.resolve(outcome);
        }
        return;
      } catch (error) {
        if (attempt < ATTEMPTS) continue;
        if (group.length === 1) group[0]?.reject(error);
        else for (const waiting of group) await commit([waiting]);
        return;
      }
    }
  };

  const drain = async () => {
    while (queue.length > 0) {
      await gather(() => queue.length);
      const group = queue.slice(0, GROUP_SIZE);
      queue = queue.slice(GROUP_SIZE);
      await commit(group);
    }
    running = false;
  };

  return (operation) =>
    new Promise((resolve, reject) => {
      queue.push({ operation, resolve, reject });
      if (running) return;
      running = true;
      void drain();
    });
}

/** Resolves when a turn of the event loop has brought nothing more, or enough is there. */
async function gather(waiting: () => number): Promise<void> {
  let known = 0;
  for (let turn = 0; turn < MOST_TURNS && waiting() > known && known < GROUP_SIZE; turn += 1) {
    known = waiting();
    await nextTurn();
  }
}
