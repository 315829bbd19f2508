import { z } from "zod";
import { defineCall } from "./call.ts";
import { idParamsSchema } from "./fields.ts";

/** Lists whose filters can be saved. */
export const VIEW_PAGES = ["logs"] as const;

export const VIEW_LIMITS = {
  nameLength: 40,
  /** Of one list and user. */
  views: 50,
  /** Search fields of a view, and characters of each. */
  fields: 20,
  valueLength: 256,
} as const;

/** The search fields of the list's address. */
export const viewSearchSchema = z
  .record(z.string().max(64), z.string().max(VIEW_LIMITS.valueLength))
  .refine((search) => Object.keys(search).length <= VIEW_LIMITS.fields, {
    message: `search may have at most ${VIEW_LIMITS.fields} fields.`,
  });

const pageSchema = z.enum(VIEW_PAGES);

/** A set of filters that a user has named. */
const savedViewSchema = z.object({ id: z.int(), name: z.string(), search: viewSearchSchema });

export type SavedView = z.infer<typeof savedViewSchema>;

export const listViews = defineCall({
  method: "GET",
  path: "/api/view/",
  access: "user",
  summary: "The own saved views of a list, by name",
  query: z.object({ page: pageSchema }),
  data: z.array(savedViewSchema),
});

export const saveView = defineCall({
  method: "PUT",
  path: "/api/view/",
  access: "user",
  summary: "Saves filters of a list under a name; those that had the name are replaced",
  body: z.object({
    page: pageSchema,
    name: z.string().trim().min(1, "Fill in the name.").max(VIEW_LIMITS.nameLength),
    search: viewSearchSchema,
  }),
  data: savedViewSchema,
});

export const deleteView = defineCall({
  method: "DELETE",
  path: "/api/view/:id/",
  access: "user",
  summary: "Deletes one of the own saved views",
  params: idParamsSchema,
  data: z.null(),
});
