import type { TestContext } from "node:test";

/** Reports a measured value, which `npm run prove` reads and compares with its bound. */
export function reportFigure(t: TestContext, name: string, value: number): void {
  t.diagnostic(`figure ${name}=${value}`);
}
