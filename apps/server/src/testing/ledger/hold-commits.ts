import { CommitOutcomeUnknownError, DatabaseUnavailableError } from "@one-api/database/database-errors";
import type { Storage } from "@one-api/ledger/storage";

/** A ledger whose commits a test holds or fails: of reservations or of settlements. */
export interface HeldCommits {
  /** Goes into `startRelayTest`. */
  readonly around: (storage: Storage) => Storage;
  /** From now on commits of this kind wait for `release`. */
  hold(kind: "reserve" | "settle"): void;
  /** Resolves as soon as a commit waits. */
  held(): Promise<void>;
  /** From now on commits of this kind fail before anything is written, as when the database is out of reach. */
  fail(kind: "reserve" | "settle" | "all"): void;
  /** From now on commits of this kind happen and are reported as failed, as when the connection breaks before the answer. */
  lose(kind: "reserve" | "settle"): void;
  /** Lets everything through again, what waits first. */
  release(): void;
}

/** Makes a ledger's commits obey a test; at first all of them pass. */
export function holdCommits(): HeldCommits {
  let mode: "pass" | "hold" | "fail" | "lose" = "pass";
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
    hold(kind) {
      [mode, concerned] = ["hold", kind];
    },
    fail(kind) {
      [mode, concerned] = ["fail", kind];
    },
    lose(kind) {
      [mode, concerned] = ["lose", kind];
    },
    held: () => (waiting.length > 0 ? Promise.resolve() : new Promise((resolve) => void listeners.push(resolve))),
    release() {
      mode = "pass";
      for (const go of waiting.splice(0)) go();
      [waiting, listeners] = [[], []];
    },
  };
}
