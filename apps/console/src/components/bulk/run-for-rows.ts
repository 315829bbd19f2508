/** Rows that are done at the same time. */
const AT_ONCE = 4;

export interface RefusedRow<Row> {
  readonly row: Row;
  readonly error: Error;
}

/** Does the work for each row, some at a time, and tells after each how many are done. Resolves to the rows that were refused; never rejects. */
export async function runForRows<Row>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
  onDone: (done: number) => void,
): Promise<readonly RefusedRow<Row>[]> {
  const refused: RefusedRow<Row>[] = [];
  const left = [...rows];
  let done = 0;
  const workThrough = async () => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) {
      try {
        await work(row);
      } catch (error) {
        refused.push({ row, error: error instanceof Error ? error : new Error(String(error)) });
      }
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workThrough));
  return refused;
}
