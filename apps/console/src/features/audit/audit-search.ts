import { AUDIT_KINDS, type AuditKind } from "@one-api/contract/constants";
import type { ListSearchState, RawSearch } from "../../lib/list/list-search.ts";
import { choiceOf, textOf } from "../../lib/values/read-values.ts";
import { type LogFilters, type LogSearch, readLogSearch } from "../logs/log-search.ts";

export interface AuditFilters extends Pick<LogFilters, "range" | "start_timestamp" | "end_timestamp"> {
  readonly actor?: string | undefined;
  readonly kind?: AuditKind | undefined;
  readonly object?: string | undefined;
}

export type AuditSearch = ListSearchState & AuditFilters & Pick<LogSearch, "open">;

export const NO_FILTERS = {
  actor: undefined,
  kind: undefined,
  object: undefined,
  range: undefined,
  start_timestamp: undefined,
  end_timestamp: undefined,
} satisfies AuditFilters;

export function readAuditFilters(search: RawSearch): AuditFilters {
  const { range, start_timestamp, end_timestamp } = readLogSearch(search);
  return {
    actor: textOf(search["actor"], { most: 64 }),
    kind: choiceOf(search["kind"], AUDIT_KINDS),
    object: textOf(search["object"], { most: 300 }),
    range,
    start_timestamp,
    end_timestamp,
  };
}
