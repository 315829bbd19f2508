import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { idParamsSchema } from "./fields.ts";

const VIEW_PAGES = ["logs", "channels", "users", "tokens", "redemptions", "dashboard", "playground"] as const;

export type ViewPage = (typeof VIEW_PAGES)[number];

export const VIEW_LIMITS = {
  nameLength: 40,
  views: 50,
  fields: 20,
  valueLength: 1_024,
  longValueLength: 10_000,
} as const;

/** Fields of a preset of the playground that hold whole texts. */
const LONG_FIELDS: ReadonlySet<string> = new Set(["system", "tools"]);

function isShortEnough(search: Readonly<Record<string, string>>): boolean {
  const { valueLength, longValueLength } = VIEW_LIMITS;
  return Object.entries(search).every(
    ([name, value]) => value.length <= (LONG_FIELDS.has(name) ? longValueLength : valueLength),
  );
}

/** Search fields of the list's address; of the playground also its system prompt and tools. */
export const viewSearchSchema = z.record(z.string().check(z.maxLength(64)), z.string()).check(
  z.refine(isShortEnough, {
    message: `A field of search may have at most ${VIEW_LIMITS.valueLength} characters, system and tools ${VIEW_LIMITS.longValueLength}.`,
  }),
  z.refine((search) => Object.keys(search).length <= VIEW_LIMITS.fields, {
    message: `search may have at most ${VIEW_LIMITS.fields} fields.`,
  }),
);

export const viewNameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(VIEW_LIMITS.nameLength));

const pageSchema = z.enum(VIEW_PAGES);

const savedViewSchema = z.object({
  id: z.int(),
  name: z.string(),
  search: viewSearchSchema,
  is_shared: z._default(z.boolean(), false),
  is_own: z._default(z.boolean(), true),
  is_default: z._default(z.boolean(), false),
});

export type SavedView = z.infer<typeof savedViewSchema>;

export const listViews = defineCall({
  method: "GET",
  path: "/api/view/",
  access: "user",
  summary: "Lists the caller's saved views of a list and the shared ones, by name",
  query: z.object({ page: pageSchema }),
  data: z.array(savedViewSchema),
});

export const saveView = defineCall({
  method: "PUT",
  path: "/api/view/",
  access: "user",
  summary: "Saves filters of a list as a named view; replaces a view of the same name",
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
  summary: "Shares one of the caller's saved views of a list with all users, or ends the sharing of any shared view",
  params: idParamsSchema,
  body: z.object({ is_shared: z.boolean() }),
  data: z.null(),
});

export const chooseDefaultView = defineCall({
  method: "PUT",
  path: "/api/view/default",
  access: "user",
  summary: "Sets or clears the caller's default view of a list",
  body: z.object({
    page: pageSchema,
    /** The caller's own view or a shared one; 0 for none. */
    id: z.int().check(z.minimum(0)),
  }),
  data: z.null(),
});

export const deleteView = defineCall({
  method: "DELETE",
  path: "/api/view/:id/",
  access: "user",
  summary: "Deletes one of the caller's saved views",
  params: idParamsSchema,
  data: z.null(),
});
