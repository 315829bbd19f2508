import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("[PAGE-08] [PAGE-09] a framed page has the full width and 85 hundredths of the window's height", () => {
  const styles = readFileSync(join(import.meta.dirname, "web-frame.module.css"), "utf8");
  expect(styles).toMatch(/^\.frame \{\s+width: 100%;\s+height: 85vh;/m);
});
