/** What `typeof` says of each value of a row. */
type KindsOf<Row extends readonly (number | string)[]> = {
  readonly [Place in keyof Row]: Row[Place] extends number ? "number" : "string";
};

/**
 * Returns what reads rows that our own code stored or asked for as one JSON text, a list of lists of values. It throws where a row is anything else than
 * its kinds say. The values are looked at where they stand, as many thousands are read at a time.
 */
export function rowsReader<Row extends readonly (number | string)[]>(kinds: KindsOf<Row>): (text: string) => Row[] {
  const isRow = (row: unknown): row is Row => {
    if (!Array.isArray(row) || row.length !== kinds.length) return false;
    for (let index = 0; index < kinds.length; index += 1) if (typeof row[index] !== kinds[index]) return false;
    return true;
  };
  return (text) => {
    const rows: unknown = JSON.parse(text);
    if (!isList(rows) || !rows.every(isRow)) throw new Error("A stored text is no list of rows.");
    return rows;
  };
}

/** True for a list, of whose values nothing is known. */
export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
