import { useState } from "react";
import { z } from "zod";
import { readStoredJson, writeStored } from "../../lib/local-storage.ts";
import { STORAGE_KEY } from "../../lib/storage-keys.ts";

const storedSchema = z.record(z.string(), z.array(z.string())).catch({});

/** Which columns of a table the user has hidden, remembered in this browser. */
export function useHiddenColumns(tableId: string, standard: readonly string[] = []) {
  const [hidden, setHidden] = useState(
    () => storedSchema.parse(readStoredJson(STORAGE_KEY.hiddenColumns))[tableId] ?? standard,
  );
  const change = (next: readonly string[]) => {
    const all = storedSchema.parse(readStoredJson(STORAGE_KEY.hiddenColumns));
    writeStored(STORAGE_KEY.hiddenColumns, JSON.stringify({ ...all, [tableId]: next }));
    setHidden(next);
  };
  return [hidden, change] as const;
}
