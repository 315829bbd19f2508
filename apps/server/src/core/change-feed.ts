type ChangedData = "tokens" | "users" | "channels" | "options";

/** Notifies caches of changed data. Announce after the commit. */
export interface ChangeFeed {
  announce(data: ChangedData): void;
  subscribe(data: ChangedData, listener: () => void): () => void;
}

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
