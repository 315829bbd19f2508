import { PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import { choiceOf, integerOf, textOf } from "../values/read-values.ts";

/** The parameters of an address as they stand there. */
export type RawSearch = Readonly<Record<string, unknown>>;

/** View state of every list page, kept in its address. */
export interface ListSearchState {
  /** Pages count from 1 here, the server's from 0. */
  readonly page?: number | undefined;
  /** Rows of a page; left out for the size that the browser remembers. */
  readonly size?: PageSize | undefined;
  readonly keyword?: string | undefined;
  /** Column to sort by, with a minus in front for descending. */
  readonly sort?: string | undefined;
}

/** Reads a list page's state from its address, ignoring invalid values. */
export function readListSearch({ page, size, keyword, sort }: RawSearch): ListSearchState {
  return {
    page: integerOf(page, { least: 1 }),
    size: choiceOf(integerOf(size), PAGE_SIZES),
    keyword: textOf(keyword),
    sort: textOf(sort),
  };
}

/** Fields of a saved view beside the list's own filters. */
export function readViewSearch({ keyword, sort }: RawSearch): Pick<ListSearchState, "keyword" | "sort"> {
  return { keyword: textOf(keyword), sort: textOf(sort) };
}

export interface Sort {
  readonly columnId: string;
  readonly descending: boolean;
}

/** Reads `name` or `-name`. */
export function parseSort(text: string | undefined): Sort | undefined {
  if (text === undefined || text === "" || text === "-") return undefined;
  return text.startsWith("-") ? { columnId: text.slice(1), descending: true } : { columnId: text, descending: false };
}

/** The sort after a press on the column's head: ascending first, reversed by each repeat. */
export function nextSort(current: Sort | undefined, columnId: string): Sort {
  return { columnId, descending: current?.columnId === columnId ? !current.descending : false };
}

export function sortText({ columnId, descending }: Sort): string {
  return descending ? `-${columnId}` : columnId;
}
