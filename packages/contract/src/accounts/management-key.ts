import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { LAST_SECOND } from "../constants.ts";
import { idParamsSchema, pageSchema, pageSizeSchema, unixSecondsSchema } from "../fields.ts";
import { wrongNetwork } from "../networks.ts";
import { NEVER_EXPIRES } from "../token-constants.ts";
import { KEY_SCOPES, MANAGEMENT_KEY_LIMITS } from "./management-key-constants.ts";

const scopesSchema = z
  .array(z.enum(KEY_SCOPES))
  .check(z.minLength(1, "scopes must name at least one scope."), z.maxLength(KEY_SCOPES.length));

const managementKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  is_own: z.boolean(),
  /** The last four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  /** CIDR ranges and addresses from which the key works; empty for all. */
  networks: z.array(z.string()),
  created_at: unixSecondsSchema,
  /** -1 never. */
  expires_at: unixSecondsSchema,
  /** To the minute; 0 for never. */
  last_used_at: unixSecondsSchema,
  last_used_address: z.string(),
  old_key_ends_at: unixSecondsSchema,
});

export type ManagementKey = z.infer<typeof managementKeySchema>;

/** The answer of a creation or rotation: the only one with the secret. */
const newManagementKeySchema = z.extend(managementKeySchema, { key: z.string() });

export type NewManagementKey = z.infer<typeof newManagementKeySchema>;

const networkSchema = z.string().check(
  z.trim(),
  z.refine((network) => wrongNetwork([network]) === undefined, {
    message: "networks must be ranges such as 192.0.2.0/24 or 2001:db8::/32, or single addresses.",
    params: { problem: "not-valid" },
  }),
);

const fields = {
  name: z.string().check(z.trim(), z.minLength(1, "Fill in the name."), z.maxLength(MANAGEMENT_KEY_LIMITS.nameLength)),
  scopes: scopesSchema,
  networks: z.array(networkSchema).check(z.maxLength(MANAGEMENT_KEY_LIMITS.networks)),
  expires_at: unixSecondsSchema.check(z.minimum(-1), z.maximum(LAST_SECOND)),
};

export const createManagementKeyInputSchema = z.object({
  ...fields,
  networks: z._default(fields.networks, []),
  expires_at: z._default(fields.expires_at, NEVER_EXPIRES),
});

export type CreateManagementKeyInput = z.input<typeof createManagementKeyInputSchema>;

export const updateManagementKeyInputSchema = z.partial(z.object(fields));

export type UpdateManagementKeyInput = z.input<typeof updateManagementKeyInputSchema>;

export const listManagementKeys = defineCall({
  method: "GET",
  path: "/api/management-key/",
  access: "admin",
  summary: "Lists one page of the caller's management keys, newest first; for root those of all administrators",
  query: z.object({ p: pageSchema, size: pageSizeSchema }),
  data: z.array(managementKeySchema),
});

export const getManagementKey = defineCall({
  method: "GET",
  path: "/api/management-key/:id",
  access: "admin",
  summary: "Returns one of the caller's management keys; for root that of any administrator",
  params: idParamsSchema,
  data: managementKeySchema,
});

export const updateManagementKey = defineCall({
  method: "PUT",
  path: "/api/management-key/:id",
  access: "admin",
  summary: "Changes the name, scopes, networks or expiry of one of the caller's management keys; its secret stays",
  params: idParamsSchema,
  body: updateManagementKeyInputSchema,
  data: managementKeySchema,
});

export const createManagementKey = defineCall({
  method: "POST",
  path: "/api/management-key/",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Creates a key for this API with some of the caller's rights and returns its secret, only once",
  body: createManagementKeyInputSchema,
  data: newManagementKeySchema,
});

export const rotateManagementKey = defineCall({
  method: "POST",
  path: "/api/management-key/:id/rotate",
  access: "admin",
  takesIdempotencyKey: true,
  summary: "Replaces the secret of one of the caller's management keys; the previous one works for a while longer",
  params: idParamsSchema,
  body: z.object({
    /** Seconds until the present secret ends; 0 for at once. */
    overlap_seconds: z._default(z.int().check(z.minimum(0), z.maximum(604_800)), 86_400),
  }),
  data: newManagementKeySchema,
});

export const revokeManagementKey = defineCall({
  method: "DELETE",
  path: "/api/management-key/:id",
  access: "admin",
  summary: "Revokes one of the caller's management keys at once; root may revoke every key",
  params: idParamsSchema,
  data: z.null(),
});
