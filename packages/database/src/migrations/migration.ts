import type { Compilable, RawBuilder, SchemaModule } from "kysely";
import type { OpenDatabase } from "../open-database.ts";

/** Builds the statements of a migration. */
export interface MigrationBuilder {
  readonly kind: OpenDatabase["kind"];
  readonly schema: SchemaModule;
}

export type Statement = Compilable | RawBuilder<unknown>;

/** One step forward. A released migration never changes: its statements are compared with those that ran. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number;
  /** In kebab-case. */
  readonly name: string;
  /** Returns the statements in order, from the schema builder or as `sql`. They run in one transaction. */
  readonly statements: (builder: MigrationBuilder) => readonly Statement[];
}
