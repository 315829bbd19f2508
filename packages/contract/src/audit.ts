import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { AUDIT_KINDS, FILTER_LIMITS } from "./constants.ts";
import { idParamsSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "./fields.ts";

/** One field of what an entry tells. */
const auditDetailSchema = z.object({
  /** Fields within fields stand behind a dot. */
  field: z.string(),
  /** What it was before; absent where the entry only tells a fact. Empty for nothing. */
  from: z.optional(z.string()),
  /** What it is since then, or the fact. Numbers and flags as text; secrets are masked. */
  to: z.string(),
});

export type AuditDetail = z.infer<typeof auditDetailSchema>;

const auditEntrySchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  /** 0 for the gateway itself and for people who are not logged in. */
  actor_id: z.int(),
  /** As it was then. */
  actor_name: z.string(),
  actor_role: z.int(),
  /** How the actor proved who it is: session or access-token; empty for nobody. */
  via: z.string(),
  /** Empty for the gateway's own work, and to administrators for what a higher role did. */
  address: z.string(),
  request_id: z.string(),
  /** Noun and verb, for example `token.create`. */
  action: z.string(),
  /** Noun and id, for example `token:12`. */
  object: z.string(),
  /** What the object is called now; empty where that is unknown. */
  object_name: z.string(),
  /** In a list the first few, with long texts cut. */
  details: z.array(auditDetailSchema),
  /** How many fields there are in all. */
  detail_count: z.int(),
});

export type AuditEntry = z.infer<typeof auditEntrySchema>;

const timestampFilterSchema = z._default(
  z.coerce.number().check(z.int(), z.minimum(0), z.maximum(FILTER_LIMITS.seconds)),
  0,
);

export const listAudit = defineCall({
  method: "GET",
  path: "/api/audit/",
  access: "admin",
  summary:
    "One page of the audit trail, newest first: to root all of it, to administrators what people of lower roles did and what concerns themselves",
  query: z.object({
    p: pageSchema,
    size: pageSizeSchema,
    /** Entries after this id are left out, so that pages stay as they are while new ones come; 0 for none. */
    up_to: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    /** The actor's username, upper and lower case alike; empty for all. */
    actor: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
    /** Empty for all. */
    kind: z._default(z.enum(["", ...AUDIT_KINDS]), ""),
    /** Noun and id; empty for all. */
    object: z._default(z.string().check(z.trim(), z.maxLength(300)), ""),
    /** Unix seconds; 0 is no bound. */
    start_timestamp: timestampFilterSchema,
    end_timestamp: timestampFilterSchema,
  }),
  data: z.array(auditEntrySchema),
});

export const listOptionChanges = defineCall({
  method: "GET",
  path: "/api/audit/options",
  access: "admin",
  summary: "When each option was set last, and by whom",
  data: z.array(
    z.object({
      key: z.string(),
      changed_at: unixSecondsSchema,
      /** As it was then; empty where the caller may not know. */
      actor_name: z.string(),
    }),
  ),
});

/** What a check of the audit trail can find. */
const AUDIT_PROBLEMS = ["entry-changed", "entry-removed", "entry-inserted", "seal-changed", "seal-removed"] as const;

export const auditProblemSchema = z.object({
  kind: z.enum(AUDIT_PROBLEMS),
  /** Of the entry, or the number of the seal. */
  id: z.int(),
});

export type AuditProblem = z.infer<typeof auditProblemSchema>;

export const getAuditSeal = defineCall({
  method: "GET",
  path: "/api/audit/seal",
  access: "admin",
  summary: "Up to when the audit trail is sealed against changes, and how its last check ended",
  data: z.object({
    /** The time of the newest sealed entry; 0 when there is none. */
    sealed_up_to: unixSecondsSchema,
    /** Entries that are younger than the newest seal. */
    unsealed: z.int(),
    /** 0 for never. */
    checked_at: unixSecondsSchema,
    /** What the last check found; empty when every sealed entry is as it was written. */
    problems: z.array(auditProblemSchema),
  }),
});

export type AuditSealState = z.infer<(typeof getAuditSeal)["data"]>;

export const getAuditEntry = defineCall({
  method: "GET",
  path: "/api/audit/:id",
  access: "admin",
  summary: "One entry of the audit trail with all that it tells",
  params: idParamsSchema,
  data: auditEntrySchema,
});
