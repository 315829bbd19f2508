import type { Compilable, RawBuilder, SchemaModule } from "kysely";
import type { OpenDatabase } from "../open-database.ts";

export interface MigrationBuilder {
  readonly kind: OpenDatabase["kind"];
  readonly schema: SchemaModule;
}

export type Statement = Compilable | RawBuilder<unknown>;

/**
 * A step forward. The previous release keeps working on the new schema, and neither reads nor writes what a step adds.
 * A released migration never changes: its statements are compared with the executed ones.
 */
export interface MigrationStep {
  readonly name: string;
  /** Statements in order, from the schema builder or `sql`. They run in one transaction. */
  readonly statements: (builder: MigrationBuilder) => readonly Statement[];
}

export interface Migration extends MigrationStep {
  /** Counts from 1 without gaps. */
  readonly number: number;
}
