import { PAGE_SIZES } from "@one-api/contract/fields";
import { z } from "zod";

/** View state of every list page, kept in its address. Pages count from 1 here, the server's from 0. */
export const listSearchSchema = z.object({
  page: z.coerce.number().int().min(1).optional().catch(undefined),
  /** Rows of a page; left out for the size that the browser remembers. */
  size: z.coerce.number<number>().pipe(z.literal(PAGE_SIZES)).optional().catch(undefined),
  keyword: z.string().trim().optional().catch(undefined),
  /** Column to sort by, with a minus in front for descending. */
  sort: z.string().optional().catch(undefined),
});

/** A column and the direction to sort it in. */
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

/** Writes a sort as the address keeps it. */
export function sortText({ columnId, descending }: Sort): string {
  return descending ? `-${columnId}` : columnId;
}
