import { useParams } from "@tanstack/react-router";
import { z } from "zod";

const paramsSchema = z.object({ id: z.coerce.number().optional() }).catch({});

/** The row that the address names, as in `/token/edit/12`; undefined on pages without one. */
export function useRowId(): number | undefined {
  const params: unknown = useParams({ strict: false });
  return paramsSchema.parse(params).id;
}
