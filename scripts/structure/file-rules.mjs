/** Lines at which a file is looked at again, and at which the check fails. */
export const lengthLimits = { warnAt: 300, failAt: 500 };

/** Texts and generated sources may be long and follow their own naming. */
export const unlimitedFiles = ["**/locales/**", "**/generated/**", "**/*.generated.*"];

/** kebab-case, then dotted suffixes: token.routes.ts, create-token.test.ts. */
export const fileNamePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;

/** Names that do not say what is in the file. */
export const bannedNames = [
  "utils",
  "util",
  "helpers",
  "helper",
  "types",
  "common",
  "misc",
  "create",
  "update",
  "delete",
];

/** index.ts is the door of a feature and nothing else. */
export const indexFiles = ["apps/*/src/features/*/index.{ts,tsx}"];
