import { expect, test } from "vitest";
import { internalPath } from "./internal-path.ts";

test.each(["/token/edit/3?x=1#y", "/log", "/"])("%s leads inside", (path) => {
  expect(internalPath(path)).toBe(path);
});

test.each([
  undefined,
  "",
  "token",
  "https://evil.example",
  "//evil.example/x",
  "/\\evil.example",
  "\\\\evil.example",
  "/.//evil.example",
  "/x/..//evil.example",
  "/\t/evil.example",
  "\r\n//evil.example",
  "/\r\n/evil.example",
  "%2f%2fevil.example",
  "data:text/html,x",
  "/login?from=/login",
  "javascript:alert(1)",
])("[V36] %s does not", (path) => {
  expect(internalPath(path)).toBeUndefined();
});
