/** Kinds of data that parts of the server keep copies of. */
type ChangedData = "tokens" | "users" | "channels" | "options";

/** Tells the holders of copies that data changed. Announce after the commit. */
export interface ChangeFeed {
  announce(data: ChangedData): void;
  /** Calls the listener on every announcement of that data; returns how to stop. */
  subscribe(data: ChangedData, listener: () => void): () => void;
}

/** A feed inside this process. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Map<ChangedData, Set<() => void>>();
  return {
    announce(data) {
      for (const listener of listeners.get(data) ?? []) listener();
    },
    subscribe(data, listener) {
      const ofData = listeners.get(data) ?? new Set();
      listeners.set(data, ofData.add(listener));
      return () => ofData.delete(listener);
    },
  };
}
