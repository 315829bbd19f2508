import pg from "pg";
import { parseSafeInteger } from "./checked-number.ts";

const INT8 = 20;
const NUMERIC = 1700;

/** Reads bigint and numeric (what `count` and `sum` answer with) as numbers; throws where a number could not hold one exactly. */
export function postgresNumberTypes(): InstanceType<typeof pg.TypeOverrides> {
  const overrides = new pg.TypeOverrides();
  overrides.setTypeParser(INT8, parseSafeInteger);
  overrides.setTypeParser(NUMERIC, (text) => (/^-?\d+$/.test(text) ? parseSafeInteger(text) : Number(text)));
  return overrides;
}
