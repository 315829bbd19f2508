import { type Call, nothing } from "@one-api/contract/call";
import type { Access } from "@one-api/contract/roles";
import { z } from "zod";

interface CallSchema {
  readonly summary: string;
  readonly tags: readonly string[];
  /** The least role, for readers of the documentation and for the test that tries every role. */
  readonly "x-access": Access;
  readonly params?: z.ZodType;
  readonly querystring?: z.ZodType;
  readonly body?: z.ZodType;
  readonly response: Record<number, z.ZodType>;
}

/** The call as the OpenAPI document describes it. */
export function callSchema(call: Call): CallSchema {
  const repeated = Object.fromEntries(call.repeatedAtTopLevel.map((name) => [name, z.unknown()]));
  return {
    summary: call.summary,
    tags: [call.path.split("/")[2] ?? ""],
    "x-access": call.access,
    ...(call.params === nothing ? {} : { params: call.params }),
    ...(call.query === nothing ? {} : { querystring: call.query }),
    ...(call.body === nothing ? {} : { body: call.body }),
    response: { 200: z.object({ success: z.boolean(), message: z.string(), data: call.data, ...repeated }) },
  };
}
