import type { Pool } from "pg";
import { DatabaseStartError } from "../database-errors.ts";

interface Rule {
  readonly setting: string;
  readonly accepts: (value: string) => boolean;
  readonly fix: string;
}

const isOn = (value: string): boolean => value === "on";

const RULES: readonly Rule[] = [
  { setting: "fsync", accepts: isOn, fix: "commits would not survive a power cut. Set it to on." },
  { setting: "full_page_writes", accepts: isOn, fix: "a power cut could damage the data. Set it to on." },
  {
    setting: "synchronous_commit",
    accepts: (value) => value !== "off",
    fix: "charges that were confirmed could be lost. Set it to on, for the server, the database and the role.",
  },
  {
    setting: "server_encoding",
    accepts: (value) => value === "UTF8",
    fix: "names and texts need UTF8. Create the database with encoding UTF8.",
  },
  {
    setting: "transaction_read_only",
    accepts: (value) => value === "off",
    fix: "One API must write. Point DATABASE_URL at the primary server, with a role that may write.",
  },
];

/** Throws `DatabaseStartError` when a setting of the server would endanger committed data or keep the program from writing. */
export async function checkPostgresSettings(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string }>(
    "select name, current_setting(name) as value from unnest($1::text[]) as name",
    [RULES.map((rule) => rule.setting)],
  );
  const values = new Map(rows.map((row) => [row.name, row.value]));
  for (const rule of RULES) {
    const value = values.get(rule.setting) ?? "";
    if (!rule.accepts(value))
      throw new DatabaseStartError(`DATABASE_URL: PostgreSQL runs with ${rule.setting} = ${value}: ${rule.fix}`);
  }
}
