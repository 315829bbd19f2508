import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Storage } from "@one-api/ledger/storage/storage";

/** Controls the commits of a ledger: reservations or settlements. */
export interface CommitControl {
  readonly around: (storage: Storage) => Storage;
  /** Makes further commits of the kind wait for `release`. */
  pause(kind: "reserve" | "settle"): void;
  paused(): Promise<void>;
  /** Makes further commits of the kind fail before they write, like a lost connection. */
  fail(kind: "reserve" | "settle" | "all"): void;
  /** Executes further commits of the kind and reports them as failed, like a connection lost before the answer. */
  lose(kind: "reserve" | "settle"): void;
  /** Executes waiting commits and ends all restrictions. */
  release(): void;
}

export function controlCommits(): CommitControl {
  let mode: "pass" | "pause" | "fail" | "lose" = "pass";
  let concerned: "reserve" | "settle" | "all" = "settle";
  let waiting: (() => void)[] = [];
  let listeners: (() => void)[] = [];
  return {
    around(storage) {
      const obey = async <Result>(
        kind: "reserve" | "settle" | "other",
        statement: () => Promise<Result>,
      ): Promise<Result> => {
        if (mode === "pass" || (concerned !== "all" && concerned !== kind)) return statement();
        if (mode === "fail") throw new DatabaseUnavailableError("The test lets this statement fail.");
        if (mode === "lose") {
          await statement();
          throw new CommitOutcomeUnknownError("The test keeps the answer of this statement back.");
        }
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          for (const listener of listeners.splice(0)) listener();
        });
        return statement();
      };
      return new Proxy(storage, {
        get(target, name: keyof Storage) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          if (name === "disconnect") return () => target.disconnect();
          const kind = name === "settle" ? "settle" : name === "acquire" ? "reserve" : "other";
          return (...parameters: readonly unknown[]): Promise<unknown> =>
            obey(kind, async (): Promise<unknown> => Reflect.apply(value, target, parameters));
        },
      });
    },
    pause(kind) {
      [mode, concerned] = ["pause", kind];
    },
    fail(kind) {
      [mode, concerned] = ["fail", kind];
    },
    lose(kind) {
      [mode, concerned] = ["lose", kind];
    },
    paused: () => (waiting.length > 0 ? Promise.resolve() : new Promise((resolve) => void listeners.push(resolve))),
    release() {
      mode = "pass";
      for (const go of waiting.splice(0)) go();
      [waiting, listeners] = [[], []];
    },
  };
}
