import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core";
import { readStored, writeStored } from "./local-storage.ts";
import { STORAGE_KEY } from "./storage-keys.ts";

function readScheme(): MantineColorScheme | undefined {
  const stored = readStored(STORAGE_KEY.colorScheme);
  return stored === "light" || stored === "dark" || stored === "auto" ? stored : undefined;
}

/** Returns a manager that stores the colour scheme under the key that theme-boot.js reads before the first paint. */
export function createColorSchemeManager(): MantineColorSchemeManager {
  let stop = () => undefined as void;
  return {
    get: (standard) => readScheme() ?? standard,
    set: (scheme) => writeStored(STORAGE_KEY.colorScheme, scheme),
    subscribe(onUpdate) {
      const listener = (event: StorageEvent) => {
        if (event.key === STORAGE_KEY.colorScheme) onUpdate(readScheme() ?? "auto");
      };
      window.addEventListener("storage", listener);
      stop = () => window.removeEventListener("storage", listener);
    },
    unsubscribe: () => stop(),
    clear: () => writeStored(STORAGE_KEY.colorScheme, undefined),
  };
}
