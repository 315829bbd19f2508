import { useParams } from "@tanstack/react-router";
import { fieldsOf, integerOf } from "./values/read-values.ts";

/** Returns the row that the parameters of an address name, as in `/token/edit/12`; undefined on pages without one. */
export function rowIdIn(params: unknown): number | undefined {
  return integerOf(fieldsOf(params)["id"]);
}

export function useRowId(): number | undefined {
  return rowIdIn(useParams({ strict: false }));
}
