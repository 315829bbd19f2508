import * as z from "zod/mini";
import type { Access } from "./accounts/roles.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Schema = z.ZodMiniType;

/** One call of the control API. The server validates and documents with it; the console takes its types. */
export interface Call<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
  Data extends Schema = Schema,
  Verb extends Method = Method,
  Path extends string = string,
> {
  readonly method: Verb;
  /** Path with `:name` for parameters. Trailing slashes are written as documented; the server takes both forms. */
  readonly path: Path;
  readonly access: Access;
  /** True when the call changes something. Browsers of other sites are refused, for GET too. */
  readonly changesState: boolean;
  readonly summary: string;
  /** True when a repeated call with the same Idempotency-Key has no second effect and returns the first answer. */
  readonly takesIdempotencyKey: boolean;
  readonly mostBytes: number | undefined;
  /** Fields of `data` that the answer repeats beside `success`, as older clients expect. */
  readonly repeatedAtTopLevel: readonly string[];
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly data: Data;
}

export const nothing = z.optional(z.undefined());

interface CallDefinition<
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Data extends Schema,
  Verb extends Method,
  Path extends string,
> {
  method: Verb;
  path: Path;
  access: Access;
  summary: string;
  changesState?: boolean;
  takesIdempotencyKey?: boolean;
  mostBytes?: number;
  repeatedAtTopLevel?: readonly string[];
  params?: Params;
  query?: Query;
  body?: Body;
  data: Data;
}

/** Returns the call with its missing parts filled in; types are inferred from the schemas. */
export function defineCall<
  const Verb extends Method,
  const Path extends string,
  Data extends Schema,
  Params extends Schema = typeof nothing,
  Query extends Schema = typeof nothing,
  Body extends Schema = typeof nothing,
>(definition: CallDefinition<Params, Query, Body, Data, Verb, Path>): Call<Params, Query, Body, Data, Verb, Path>;
export function defineCall(definition: CallDefinition<Schema, Schema, Schema, Schema, Method, string>): Call {
  return {
    ...definition,
    changesState: definition.changesState ?? definition.method !== "GET",
    takesIdempotencyKey: definition.takesIdempotencyKey ?? false,
    mostBytes: definition.mostBytes,
    repeatedAtTopLevel: definition.repeatedAtTopLevel ?? [],
    params: definition.params ?? nothing,
    query: definition.query ?? nothing,
    body: definition.body ?? nothing,
  };
}
