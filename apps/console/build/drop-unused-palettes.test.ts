import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { withoutPalettes } from "./drop-unused-palettes.ts";

test("of Mantine's palettes those stay, as they are, that its own theme refers to", async () => {
  const scripts = import.meta.resolve("@mantine/core").replace(/(?<=\/@mantine\/core\/).*/, "esm/");
  const code = await readFile(new URL("core/MantineProvider/default-colors.mjs", scripts), "utf8");
  const palettesOf = (text: string) => text.match(/\w+: \[[^\]]*\]/g) ?? [];
  const kept = palettesOf(code).filter((palette) => /^(?:dark|gray|blue):/.test(palette));
  assert.equal(kept.length, 3);
  assert.deepEqual(palettesOf(withoutPalettes(code)), kept);
});

test("a module that is written in another way is noticed", () => {
  assert.throws(() => withoutPalettes('export const DEFAULT_COLORS = JSON.parse("{}");'), /written in another way/);
});
