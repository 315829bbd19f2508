import type { OnProgress } from "./backup-pages.ts";

const ROWS_PER_LINE = 100_000;

export function printRows(): OnProgress {
  let next = ROWS_PER_LINE;
  return (rows) => {
    if (rows < next) return;
    process.stderr.write(`${rows} rows\n`);
    next = rows - (rows % ROWS_PER_LINE) + ROWS_PER_LINE;
  };
}
