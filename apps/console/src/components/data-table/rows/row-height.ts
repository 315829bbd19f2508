import { createExternalStore } from "../../../lib/state/external-store.ts";
import { readStored, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";

const COMPACT = "compact";

const isCompact = createExternalStore(readStored(STORAGE_KEY.rowHeight) === COMPACT);

export const useIsCompact = isCompact.use;

export function setCompact(wanted: boolean): void {
  writeStored(STORAGE_KEY.rowHeight, wanted ? COMPACT : undefined);
  isCompact.set(wanted);
}
