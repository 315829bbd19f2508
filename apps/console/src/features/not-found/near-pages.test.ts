import { expect, test } from "vitest";
import { nearPaths } from "./near-pages.ts";

const PATHS = ["/", "/dashboard", "/channel", "/token", "/log", "/user", "/setting", "/topup", "/about"];

test.each([
  ["/setings", "/setting"],
  ["/tokens", "/token"],
  ["/admin/channels", "/channel"],
  ["/Dashbord", "/dashboard"],
  ["/logs", "/log"],
  ["/top-up", "/topup"],
])("%s was meant to be %s", (wrong, meant) => {
  expect(nearPaths(wrong, PATHS)[0]).toBe(meant);
});

test("an address that resembles none has no suggestion", () => {
  expect(nearPaths("/wp-login.php", PATHS)).toEqual([]);
});
