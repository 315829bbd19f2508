const AT_ONCE = 4;

export interface RefusedRow<Row> {
  readonly row: Row;
  readonly error: Error;
}

/** Runs the work for each row, a few at a time, and reports progress. Resolves to the refused rows; never rejects. */
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
