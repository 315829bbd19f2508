import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { idParamsSchema } from "./fields.ts";

/** Pages, most of them lists, whose filters and order can be saved. */
const VIEW_PAGES = ["logs", "channels", "users", "tokens", "redemptions", "dashboard"] as const;

export type ViewPage = (typeof VIEW_PAGES)[number];

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
  .record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(VIEW_LIMITS.valueLength)))
  .check(
    z.refine((search) => Object.keys(search).length <= VIEW_LIMITS.fields, {
      message: `search may have at most ${VIEW_LIMITS.fields} fields.`,
    }),
  );

export const viewNameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(VIEW_LIMITS.nameLength));

const pageSchema = z.enum(VIEW_PAGES);

/** A set of filters that somebody has named. */
const savedViewSchema = z.object({
  id: z.int(),
  name: z.string(),
  search: viewSearchSchema,
  /** Everybody sees it. */
  is_shared: z._default(z.boolean(), false),
  /** One's own; else an administrator shares it. */
  is_own: z._default(z.boolean(), true),
  /** What the list begins with for the caller. */
  is_default: z._default(z.boolean(), false),
});

export type SavedView = z.infer<typeof savedViewSchema>;

export const listViews = defineCall({
  method: "GET",
  path: "/api/view/",
  access: "user",
  summary: "The saved views of a list by name: one's own, and those that administrators share",
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
    name: viewNameSchema,
    search: viewSearchSchema,
  }),
  data: savedViewSchema,
});

export const shareView = defineCall({
  method: "PUT",
  path: "/api/view/:id/shared",
  access: "admin",
  summary: "Shares one of the own saved views with everybody, or no more; any shared one can be taken back",
  params: idParamsSchema,
  body: z.object({ is_shared: z.boolean() }),
  data: z.null(),
});

export const chooseDefaultView = defineCall({
  method: "PUT",
  path: "/api/view/default",
  access: "user",
  summary: "Chooses the saved view that a list begins with for oneself, or none",
  body: z.object({
    page: pageSchema,
    /** One's own view or a shared one; 0 for none. */
    id: z.int().check(z.minimum(0)),
  }),
  data: z.null(),
});

export const deleteView = defineCall({
  method: "DELETE",
  path: "/api/view/:id/",
  access: "user",
  summary: "Deletes one of the own saved views",
  params: idParamsSchema,
  data: z.null(),
});
