import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { withoutPalettes } from "./drop-unused-palettes.ts";

test("of Mantine's palettes those stay, as they are, that its own theme refers to", async () => {
  const scripts = import.meta.resolve("@mantine/core").replace(/(?<=\/@mantine\/core\/).*/, "esm/");
  const code = await readFile(new URL("core/MantineProvider/default-colors.mjs", scripts), "utf8");
  const colorsOf = async (text: string): Promise<object> => {
    const loaded: { DEFAULT_COLORS: object } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    return loaded.DEFAULT_COLORS;
  };
  const [all, left] = [await colorsOf(code), await colorsOf(withoutPalettes(code))];
  assert.deepEqual(Object.keys(left), ["dark", "gray", "blue"]);
  for (const entry of Object.entries(left)) assert.ok(Object.entries(all).some((one) => String(one) === String(entry)));
});

test("a module that is written in another way is noticed", () => {
  assert.throws(() => withoutPalettes('export const DEFAULT_COLORS = JSON.parse("{}");'), /written in another way/);
});
