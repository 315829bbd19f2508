import { useSyncExternalStore } from "react";

/** One value outside React that components can follow. */
export interface ExternalStore<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
}

export function createExternalStore<Value>(initial: Value): ExternalStore<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => current),
  };
}
