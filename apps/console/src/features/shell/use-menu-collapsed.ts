import { createExternalStore } from "../../lib/external-store.ts";
import { readStored, writeStored } from "../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../lib/storage-keys.ts";

const store = createExternalStore(readStored(STORAGE_KEY.menuCollapsed) === "true");

/** Whether the menu shows icons alone, remembered in this browser, and what changes it. */
export function useMenuCollapsed() {
  const collapsed = store.use();
  const toggle = () => {
    writeStored(STORAGE_KEY.menuCollapsed, collapsed ? undefined : "true");
    store.set(!collapsed);
  };
  return [collapsed, toggle] as const;
}
