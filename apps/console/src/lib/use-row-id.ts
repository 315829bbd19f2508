import { useParams } from "@tanstack/react-router";
import { fieldsOf, integerOf } from "./values/read-values.ts";

/** The row that the address names, as in `/token/edit/12`; undefined on pages without one. */
export function useRowId(): number | undefined {
  const params: unknown = useParams({ strict: false });
  return integerOf(fieldsOf(params)["id"]);
}
