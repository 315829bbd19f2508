import { useSyncExternalStore } from "react";

/** One value outside React that components can follow. */
export interface ExternalStore<Value> {
  get(): Value;
  set(value: Value): void;
  use(): Value;
  /** Follows a part: a text, a number or a flag. */
  usePart<Part extends string | number | boolean>(pick: (value: Value) => Part): Part;
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
    usePart: (pick) => useSyncExternalStore(subscribe, () => pick(current)),
  };
}
