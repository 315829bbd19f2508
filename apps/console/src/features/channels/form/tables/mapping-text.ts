import { modelMappingSchema } from "@one-api/contract/channels/channel-json";
import { writeObject } from "./write-object.ts";

export interface MappingRow {
  readonly id: number;
  readonly requested: string;
  readonly upstream: string;
}

/** Rows of a mapping; none for an empty text, undefined for one that is no mapping. */
export function readMapping(text: string): MappingRow[] | undefined {
  if (text.trim() === "") return [];
  try {
    const { data } = modelMappingSchema.safeParse(JSON.parse(text));
    return data && Object.entries(data).map(([requested, upstream], id) => ({ id, requested, upstream }));
  } catch {
    return undefined;
  }
}

/** The mapping as JSON; empty without rows. Empty rows are left out, and a row that lacks a model is refused by the form. */
export function writeMapping(rows: readonly MappingRow[]): string {
  const entries = rows
    .map(({ requested, upstream }) => [requested.trim(), upstream.trim()] as const)
    .filter(([requested, upstream]) => requested !== "" || upstream !== "");
  return entries.length === 0 ? "" : writeObject(entries);
}
