import { type Call, nothing, type Schema } from "@one-api/contract/call";
import type { Access } from "@one-api/contract/accounts/roles";
import type { KeyScope } from "@one-api/contract/accounts/management-key-constants";
import { scopeOf } from "@one-api/contract/accounts/management-key-scopes";
import { errorCodeSchema, errorValuesSchema } from "@one-api/contract/error-codes";
import { z } from "zod";

type Security = Readonly<Record<string, readonly string[]>>;

interface DescribedAnswer {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: z.core.$ZodType }>>;
}

type AnswerSchema = z.core.$ZodType | DescribedAnswer;

export interface CallSchema {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** The least role, for readers of the documentation and for the test that tries every role. */
  readonly "x-access": Access;
  /** The scope that a management key needs; absent where no key may call. */
  readonly "x-scope"?: KeyScope;
  readonly security: readonly Security[];
  readonly headers?: Schema;
  readonly params?: Schema;
  readonly querystring?: Schema;
  readonly body?: Schema;
  readonly response: Readonly<Record<string, AnswerSchema>>;
}

const refusalSchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe("What happened, and what to do"),
    data: z.null(),
    code: errorCodeSchema,
    field: z.string().optional().describe("The wrong field; parts are separated by dots"),
    values: z.optional(errorValuesSchema),
  })
  .meta({ id: "Refusal", description: "The call was refused" });

const REFUSALS: Readonly<Record<string, DescribedAnswer>> = {
  "4xx": refusalWith("The input, the caller or the number of calls is refused"),
  "5xx": refusalWith("A fault of the gateway, or a part that is out of reach"),
};

function refusalWith(description: string): DescribedAnswer {
  return { description, content: { "application/json": { schema: refusalSchema } } };
}

const idempotencyHeadersSchema = z.object({
  "Idempotency-Key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("A repeated call with the same key and input has no second effect and returns the first answer"),
});

export function callSchema(call: Call): CallSchema {
  const { summary, access, path, params, query, body } = call;
  const needed = scopeOf(call);
  return {
    operationId: operationIdOf(call),
    summary,
    tags: [path.split("/")[2] ?? ""],
    "x-access": access,
    ...("scope" in needed ? { "x-scope": needed.scope } : {}),
    security: securityOf(call),
    ...(call.takesIdempotencyKey ? { headers: idempotencyHeadersSchema } : {}),
    ...(params === nothing ? {} : { params }),
    ...(query === nothing ? {} : { querystring: query }),
    ...(body === nothing ? {} : { body }),
    response: { 200: answerSchema(call), ...REFUSALS },
  };
}

export function downloadSchema(call: Call, types: readonly string[]): CallSchema {
  const file = {
    description: "The file",
    content: Object.fromEntries(types.map((type) => [type, { schema: call.data }])),
  };
  return { ...callSchema(call), response: { 200: file, ...REFUSALS } };
}

function answerSchema({ data, repeatedAtTopLevel }: Call): z.core.$ZodType {
  const repeated = Object.fromEntries(repeatedAtTopLevel.map((name) => [name, z.unknown()]));
  const answer = z.object({ success: z.literal(true), message: z.string(), data, ...repeated });
  return z.union([answer, refusalSchema]).describe("The answer, or a refusal by a rule");
}

/** Ways to log in for the call; none for an open one. */
function securityOf(call: Call): Security[] {
  const needed = scopeOf(call);
  const byKey = "scope" in needed ? [{ managementKey: [needed.scope] }] : [];
  return call.access === "anyone" ? [{}, ...byKey] : [{ session: [] }, { accessToken: [] }, ...byKey];
}

/** Stays as long as method and path do, for example `getTokenById`. */
function operationIdOf({ method, path }: Pick<Call, "method" | "path">): string {
  const words = path
    .split("/")
    .slice(2)
    .filter((part) => part !== "")
    .flatMap((part) => (part.startsWith(":") ? ["by", ...part.slice(1).split("_")] : part.split(/[_-]/)));
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}
