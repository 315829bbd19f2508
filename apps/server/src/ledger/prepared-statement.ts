import type { RunStatement, StatementOutcome, StatementParameter } from "@one-api/database/open-database";
import type { Compilable } from "kysely";

/** Stands for values that come later, while a statement is built once. */
export interface Placeholders<Name extends string> {
  number(name: Name): number;
  text(name: Name): string;
}

/** A statement compiled once and run many times with named values. */
export type PreparedStatement<Name extends string> = (
  run: RunStatement,
  values: Readonly<Record<Name, StatementParameter>>,
) => StatementOutcome | Promise<StatementOutcome>;

/**
 * Compiles a Kysely query whose values are placeholders. Building a query costs more than running it, so what every relayed
 * request runs is prepared; the query itself is still written once for both databases.
 */
export function prepareStatement<Name extends string>(
  build: (placeholders: Placeholders<Name>) => Compilable,
): PreparedStatement<Name> {
  const names: Name[] = [];
  const order = (name: Name) => names.push(name) - 1;
  const { sql, parameters } = build({
    number: (name) => NUMBER_MARK + order(name),
    text: (name) => TEXT_MARK + String(order(name)),
  }).compile();
  const parts = parameters.map((parameter) => readMark(parameter, names));
  return (run, values) =>
    run(
      sql,
      parts.map((part) => ("name" in part ? values[part.name] : part.constant)),
    );
}

/** The first of the numbers that stand for values; no statement has such a constant of its own. */
const NUMBER_MARK = -8_000_000_000_000_000;
const TEXT_MARK = "\u0000placeholder ";

type StatementPart<Name> = { name: Name } | { constant: StatementParameter };

function readMark<Name extends string>(parameter: unknown, names: readonly Name[]): StatementPart<Name> {
  const index =
    typeof parameter === "number"
      ? parameter - NUMBER_MARK
      : typeof parameter === "string" && parameter.startsWith(TEXT_MARK)
        ? Number(parameter.slice(TEXT_MARK.length))
        : -1;
  const name = names[index];
  if (name !== undefined) return { name };
  if (typeof parameter === "number" || typeof parameter === "string" || parameter === null)
    return { constant: parameter };
  throw new Error("A prepared statement takes texts, numbers and null only.");
}
