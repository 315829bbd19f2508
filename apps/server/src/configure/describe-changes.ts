import type { ConfigurationChange } from "@one-api/contract/configuration/configuration";

const SIGNS = { create: "+", change: "~", delete: "-" } as const;
const LONGEST = 100;

/** Lines for a person: each change with its fields, then their number. */
export function describeChanges(changes: readonly ConfigurationChange[], end: string): string[] {
  return [
    ...changes.flatMap(({ action, object, fields }) => [
      `${SIGNS[action]} ${object}`,
      ...fields.map(
        ({ field, from, to }) => `    ${field}: ${from === undefined ? "" : `${show(from)} → `}${show(to)}`,
      ),
    ]),
    `${changes.length} ${changes.length === 1 ? "change" : "changes"}${end}`,
  ];
}

/** One line, on which a terminal obeys nothing. */
function show(text: string): string {
  const line = text.replaceAll(/\p{C}+/gu, " ");
  if (line === "") return '""';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
