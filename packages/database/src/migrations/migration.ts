import type { Compilable, RawBuilder, SchemaModule } from "kysely";
import type { OpenDatabase } from "../open-database.ts";

/** What a migration builds its statements with. */
export interface MigrationBuilder {
  readonly kind: OpenDatabase["kind"];
  readonly schema: SchemaModule;
}

/** One step forward. A released migration never changes: its text is compared with what ran. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number;
  /** kebab-case, saying what it brings. */
  readonly name: string;
  /** Returns its statements, in order, from the schema builder or as `sql`; they run in one transaction. */
  readonly statements: (builder: MigrationBuilder) => readonly (Compilable | RawBuilder<unknown>)[];
}
