import { registerHooks } from "node:module";

// The log store's process on a platform that DuckDB is not built for.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@duckdb/node-api")
      throw new Error("Error loading duckdb native binding: unsupported arch 's390x' for platform 'linux'");
    return next(specifier, context);
  },
});
await import("../child/main.ts");
