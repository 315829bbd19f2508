import { channelCostsSchema } from "@one-api/contract/channels/channel-json";

/** Costs of a model. Empty texts are numbers that are not filled in. */
export interface CostRow {
  readonly id: number;
  readonly model: string;
  /** Dollars per million tokens. */
  readonly input: number | string;
  readonly output: number | string;
  readonly factor: number | string;
}

/** Rows of costs; none for an empty text, undefined for one that is no costs. */
export function readCosts(text: string): CostRow[] | undefined {
  if (text.trim() === "") return [];
  try {
    const { data } = channelCostsSchema.safeParse(JSON.parse(text));
    return (
      data &&
      Object.entries(data).map(([model, cost], id) => ({ id, model, input: "", output: "", factor: "", ...cost }))
    );
  } catch {
    return undefined;
  }
}

function isEmpty({ model, input, output, factor }: CostRow): boolean {
  return [model.trim(), input, output, factor].every((value) => value === "");
}

export function lacksModel(row: CostRow): boolean {
  return row.model.trim() === "" && !isEmpty(row);
}

/** The costs as JSON; empty without rows. Empty rows are left out, and a row without a model is refused by the form. */
export function writeCosts(rows: readonly CostRow[]): string {
  const entries = rows.filter((row) => !isEmpty(row)).map((row) => [row.model.trim(), costOf(row)] as const);
  return entries.length === 0 ? "" : JSON.stringify(Object.fromEntries(entries), undefined, 2);
}

/** A row without numbers becomes an empty cost, which the form refuses. */
function costOf({ input, output, factor }: CostRow): Record<string, number> {
  if (factor !== "") return { factor: Number(factor) };
  if (input === "" && output === "") return {};
  return { input: Number(input), output: Number(output) };
}
