import { expect, test } from "vitest";

test("zod reads its configuration from the window, where it stands before the first schema", async () => {
  const { config } = await import("zod/mini");
  expect(Reflect.get(globalThis, "__zod_globalConfig")).toBe(config());
  document.head.innerHTML = '<meta name="csp-nonce" content="nonce-1">';
  await import("./obey-policy.ts");
  expect(Reflect.get(globalThis, "__zod_globalConfig")).toEqual({ jitless: true });
  expect(Reflect.get(globalThis, "__webpack_nonce__")).toBe("nonce-1");
});
