import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { AUDIT_KINDS, FILTER_LIMITS } from "./constants.ts";
import { idParamsSchema, keywordSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "./fields.ts";
import { exportFormatSchema } from "./export-format.ts";

export const auditDetailSchema = z.object({
  /** Nested fields are separated by dots. */
  field: z.string(),
  /** The value before; absent if the entry states a fact without a change. Empty for no value. */
  from: z.optional(z.string()),
  /** The value after, or the fact. Numbers and flags as text; secrets are masked. */
  to: z.string(),
});

export type AuditDetail = z.infer<typeof auditDetailSchema>;

const auditEntrySchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  /** 0 for the gateway itself and for visitors. */
  actor_id: z.int(),
  /** At that time. */
  actor_name: z.string(),
  actor_role: z.int(),
  /** Authentication of the actor: session, access-token or management-key:ID; empty for none. */
  via: z.string(),
  via_name: z._default(z.string(), ""),
  /** Empty for the gateway's own actions, and for administrators on actions of a higher role. */
  address: z.string(),
  request_id: z.string(),
  action: z.string(),
  /** Noun and id, for example `token:12`. */
  object: z.string(),
  /** Its present name; of a deleted object the last one in the trail. Empty if none is known. */
  object_name: z.string(),
  /** The object can still be opened. False for objects without a name of their own. */
  object_exists: z._default(z.boolean(), false),
  /** In a list the first few, with long texts cut. */
  details: z.array(auditDetailSchema),
  detail_count: z.int(),
});

export type AuditEntry = z.infer<typeof auditEntrySchema>;

const timestampFilterSchema = z._default(
  z.coerce.number().check(z.int(), z.minimum(0), z.maximum(FILTER_LIMITS.seconds)),
  0,
);

const MOST_WORDS = 6;

const wordActionsSchema = z
  .string()
  .check(
    z.maxLength(6_000),
    z.regex(/^\S{1,100}:[a-z][a-z.,-]*$/, "Write a word and its actions, such as created:token.create,user.create."),
  );

const filterFields = {
  /** Every word must match: part of a username, of an object's name or setting, an id, a type, an action or an address. */
  keyword: z._default(
    z.string().check(
      z.trim(),
      z.maxLength(100),
      z.refine((keyword) => keyword.split(/\s+/).length <= MOST_WORDS, `Search for at most ${MOST_WORDS} words.`),
    ),
    "",
  ),
  /** Actions that a word of the keyword also matches, in the reader's language: `created:token.create,user.create`. */
  actions: z._default(
    z.pipe(
      z.union([wordActionsSchema, z.array(wordActionsSchema).check(z.maxLength(MOST_WORDS))]),
      z.transform((words) => [words].flat()),
    ),
    [],
  ),
  /** The actor's username, ignoring case; empty for all. */
  actor: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
  kind: z._default(z.enum(["", ...AUDIT_KINDS]), ""),
  object: z._default(z.string().check(z.trim(), z.maxLength(300)), ""),
  start_timestamp: timestampFilterSchema,
  end_timestamp: timestampFilterSchema,
};

export const listAudit = defineCall({
  method: "GET",
  path: "/api/audit/",
  access: "admin",
  summary:
    "Lists one page of the audit trail, newest first: all entries for root; for administrators those of lower roles and their own",
  query: z.object({
    p: pageSchema,
    size: pageSizeSchema,
    /** Excludes entries after this id, so that pages stay stable while entries are added; 0 for none. */
    up_to: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    ...filterFields,
  }),
  data: z.array(auditEntrySchema),
});

export const exportAudit = defineCall({
  method: "GET",
  path: "/api/audit/export",
  access: "admin",
  summary: "Exports the entries that the list has, as a file with all details, newest first",
  query: z.object({ format: exportFormatSchema, ...filterFields }),
  data: z.string(),
});

export const listAuditObjects = defineCall({
  method: "GET",
  path: "/api/audit/objects",
  access: "admin",
  summary:
    "Finds objects with entries in the audit trail by name or id; without a keyword, those of the newest entries",
  query: z.object({ keyword: keywordSchema }),
  data: z.array(z.object({ object: z.string(), name: z.string() })),
});

export const listOptionChanges = defineCall({
  method: "GET",
  path: "/api/audit/options",
  access: "admin",
  summary: "Returns when each option was last set, and by whom",
  data: z.array(
    z.object({
      key: z.string(),
      changed_at: unixSecondsSchema,
      /** At that time; empty if the caller may not see it. */
      actor_name: z.string(),
    }),
  ),
});

const optionKeySchema = z.string().check(z.maxLength(64));

export const MAX_OPTION_HISTORY = 10;

const optionHistoryEntrySchema = z.object({
  /** Of the audit entry. */
  id: z.int(),
  changed_at: unixSecondsSchema,
  actor_name: z.string(),
  /** The first differences, with long texts cut. A field is a member of a JSON object; empty for the whole value. */
  details: z.array(auditDetailSchema),
  detail_count: z.int(),
  /** True if the value before the change is stored, so that it can be set again. */
  can_revert: z.boolean(),
});

export type OptionHistoryEntry = z.infer<typeof optionHistoryEntrySchema>;

export const listOptionHistory = defineCall({
  method: "GET",
  path: "/api/audit/options/:key",
  access: "admin",
  summary: "Lists the last changes of an option, newest first; of a secret only their authors and times",
  params: z.object({ key: optionKeySchema }),
  data: z.array(optionHistoryEntrySchema),
});

export const readOptionBefore = defineCall({
  method: "GET",
  path: "/api/audit/options/:key/:id",
  access: "admin",
  summary: "Returns the value of an option before one of its changes; never that of a secret",
  params: z.extend(idParamsSchema, { key: optionKeySchema }),
  data: z.object({ value: z.string() }),
});

const AUDIT_PROBLEMS = ["entry-changed", "entry-removed", "entry-inserted", "seal-changed", "seal-removed"] as const;

export const auditProblemSchema = z.object({
  kind: z.enum(AUDIT_PROBLEMS),
  /** Id of the entry, or number of the seal. */
  id: z.int(),
});

export type AuditProblem = z.infer<typeof auditProblemSchema>;

export const getAuditSeal = defineCall({
  method: "GET",
  path: "/api/audit/seal",
  access: "admin",
  summary: "Returns up to when the audit trail is sealed, and the result of its last check",
  data: z.object({
    sealed_up_to: unixSecondsSchema,
    unsealed: z.int(),
    checked_at: unixSecondsSchema,
    /** Findings of the last check; empty if every sealed entry is unchanged. */
    problems: z.array(auditProblemSchema),
  }),
});

export type AuditSealState = z.infer<(typeof getAuditSeal)["data"]>;

export const getAuditEntry = defineCall({
  method: "GET",
  path: "/api/audit/:id",
  access: "admin",
  summary: "Returns one entry of the audit trail with all its details",
  params: idParamsSchema,
  data: auditEntrySchema,
});
