import type { Plugin } from "vite";

const palettesModule = /\/@mantine\/core\/esm\/core\/MantineProvider\/default-colors\.mjs$/;

/** Palettes that Mantine's own theme refers to before the console's is merged into it. */
const KEPT = new Set(["dark", "gray", "blue"]);

/**
 * Takes the palettes out of Mantine's scripts that the console's theme replaces or never names: the colours of channel types come from
 * its style sheet. Ten hashes each are what a first visit can least compress.
 */
export function dropUnusedPalettes(): Plugin {
  return {
    name: "drop-unused-palettes",
    apply: "build",
    transform: (code, id) => (palettesModule.test(id) ? { code: withoutPalettes(code), map: null } : null),
  };
}

/** Returns Mantine's module of palettes without those that are not kept. Throws when it is not written as it was. */
export function withoutPalettes(code: string): string {
  const left = code.replaceAll(/^\s*(?<name>\w+): \[[^\]]*\],?\n/gm, (palette, name: string) =>
    KEPT.has(name) ? palette : "",
  );
  if (left.length > code.length / 2)
    throw new Error("Mantine's palettes are written in another way: see withoutPalettes.");
  return left;
}
