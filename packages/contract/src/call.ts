import { z } from "zod";
import type { Access } from "./accounts/roles.ts";

/** HTTP methods of the control API. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * One call of the control API: where it is, who may make it and the shapes of what goes in and comes out.
 * The server validates and documents with it, the console types its client with it.
 */
export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Path with `:name` for parameters. Trailing slashes are written as documented; the server takes both forms. */
  readonly path: string;
  readonly access: Access;
  /** True when the call changes something: refused when a browser sends it from another site, GET included. */
  readonly changesState: boolean;
  readonly summary: string;
  /** True when a repeated call with the same Idempotency-Key has no second effect and gets the first answer. */
  readonly takesIdempotencyKey: boolean;
  /** Fields of `data` that the answer repeats beside `success`, as older clients expect. */
  readonly repeatedAtTopLevel: readonly string[];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Shape of `data` in the answer. */
  readonly data: Data;
}

/** The schema of a part that a call does not have. */
export const nothing = z.undefined().optional();

interface CallDefinition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
> {
  method: Method;
  path: string;
  access: Access;
  summary: string;
  /** Default: true for all methods but GET. */
  changesState?: boolean;
  takesIdempotencyKey?: boolean;
  repeatedAtTopLevel?: readonly string[];
  params?: Params;
  query?: Query;
  body?: Body;
  data: Data;
}

/** Returns the call with its missing parts filled in; types are inferred from the schemas. */
export function defineCall<
  Data extends z.ZodType,
  Params extends z.ZodType = typeof nothing,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof nothing,
>(definition: CallDefinition<Params, Query, Body, Data>): Call<Params, Query, Body, Data>;
export function defineCall(definition: CallDefinition<z.ZodType, z.ZodType, z.ZodType, z.ZodType>): Call {
  return {
    ...definition,
    changesState: definition.changesState ?? definition.method !== "GET",
    takesIdempotencyKey: definition.takesIdempotencyKey ?? false,
    repeatedAtTopLevel: definition.repeatedAtTopLevel ?? [],
    params: definition.params ?? nothing,
    query: definition.query ?? nothing,
    body: definition.body ?? nothing,
  };
}
