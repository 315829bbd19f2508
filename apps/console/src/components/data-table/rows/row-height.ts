import { createExternalStore } from "../../../lib/state/external-store.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";

const COMPACT = "compact";

const isCompact = createExternalStore(readStored(STORAGE_KEY.rowHeight) === COMPACT);

/** Whether the rows of all tables are low, so that more of them fit on the screen. */
export const useIsCompact = isCompact.use;

/** Makes the rows of all tables low, or as high as they were; this browser remembers it. */
export function setCompact(wanted: boolean): void {
  writeStored(STORAGE_KEY.rowHeight, wanted ? COMPACT : undefined);
  isCompact.set(wanted);
}
