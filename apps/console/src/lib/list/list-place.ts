import { PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import { createExternalStore } from "../state/external-store.ts";
import { readStored, writeStored } from "../state/local-storage.ts";
import { STORAGE_KEY } from "../state/storage-keys.ts";
import { parseSort, type RawSearch, readListSearch, type Sort } from "./list-search.ts";

const FIRST_PAGE_SIZE: PageSize = 20;

function readPageSize(): PageSize {
  const stored = Number(readStored(STORAGE_KEY.pageSize));
  return PAGE_SIZES.find((size) => size === stored) ?? FIRST_PAGE_SIZE;
}

const pageSizeStore = createExternalStore(readPageSize());

/** Rows of a page in all lists, as this browser remembers them; 20 at first. */
export const usePageSize = pageSizeStore.use;

export function storePageSize(size: PageSize): void {
  writeStored(STORAGE_KEY.pageSize, String(size));
  pageSizeStore.set(size);
}

/** Takes the remembered rows of a page again. */
export function restorePageSize(): void {
  pageSizeStore.set(readPageSize());
}

export interface ListPlace {
  readonly page: number;
  /** Rows of a page: the address's, else what the browser remembers. */
  readonly size: PageSize;
  /** Trimmed; empty for the whole list. */
  readonly keyword: string;
  readonly sort: Sort | undefined;
}

export function listPlaceOf(search: RawSearch, remembered: PageSize = pageSizeStore.get()): ListPlace {
  const { page = 1, size = remembered, keyword = "", sort } = readListSearch(search);
  return { page, size, keyword, sort: parseSort(sort) };
}
