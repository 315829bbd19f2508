import type { Plugin } from "vite";

/**
 * Lets Chrome compile the functions of each file in the background while the file arrives, instead of on the main
 * thread when they are first called. Other browsers ignore the comment (https://v8.dev/blog/explicit-compile-hints).
 */
export function compileHints(): Plugin {
  return {
    name: "compile-hints",
    apply: "build",
    generateBundle: {
      // Vite itself puts code at the beginning, and the comment counts in the first line only.
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === "chunk") file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
}
