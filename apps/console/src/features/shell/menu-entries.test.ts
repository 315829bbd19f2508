import { expect, test } from "vitest";
import { menuEntries } from "./menu-entries.ts";

type Conditions = Parameters<typeof menuEntries>[0];

const names = (
  conditions: Omit<Conditions, "hasPricing" | "hasStatus" | "isLoggedIn" | "isRoot"> & Partial<Conditions>,
) =>
  menuEntries({ hasPricing: false, hasStatus: false, isLoggedIn: true, isRoot: false, ...conditions }).map(
    ({ name }) => name,
  );

test("[START-48] the menu of administrators is in the order of the specification, with the dashboard after Home, the audit trail after the log and the playground after the tokens", () => {
  expect(names({ isAdmin: true, hasChat: false })).toEqual([
    "home",
    "dashboard",
    "channel",
    "token",
    "playground",
    "redemption",
    "topup",
    "user",
    "log",
    "audit",
    "setting",
    "shop",
    "about",
  ]);
});

test("[START-44] [START-45] [START-46] others see no administrators' entries", () => {
  expect(names({ isAdmin: false, hasChat: false })).toEqual([
    "home",
    "dashboard",
    "token",
    "playground",
    "topup",
    "log",
    "setting",
    "shop",
    "about",
  ]);
});

test("[START-49] [START-50] Chat is second, also before the dashboard of whoever is logged in, with a chat link only", () => {
  expect(names({ isLoggedIn: false, isAdmin: false, hasChat: true }).slice(0, 2)).toEqual(["home", "chat"]);
  expect(names({ isAdmin: true, hasChat: true }).slice(0, 3)).toEqual(["home", "chat", "dashboard"]);
  expect(names({ isAdmin: true, hasChat: false })).not.toContain("chat");
});

test("visitors see what needs no account", () => {
  expect(names({ isLoggedIn: false, isAdmin: false, hasChat: true, hasPricing: true, hasStatus: true })).toEqual([
    "home",
    "chat",
    "pricing",
    "status",
    "shop",
    "about",
  ]);
});

test("the status page has an entry once it is switched on", () => {
  expect(names({ isLoggedIn: false, isAdmin: false, hasChat: false, hasStatus: true })).toContain("status");
});

test("the page of prices has an entry for everybody, unless it is switched off", () => {
  expect(names({ isAdmin: false, hasChat: false, hasPricing: true })).toContain("pricing");
  expect(names({ isAdmin: true, hasChat: true })).not.toContain("pricing");
});

test("the system has an entry after the audit trail, for root alone", () => {
  const entries = names({ isAdmin: true, isRoot: true, hasChat: false });
  expect(entries.slice(entries.indexOf("audit"), entries.indexOf("audit") + 3)).toEqual(["audit", "system", "setting"]);
  expect(names({ isAdmin: true, hasChat: false })).not.toContain("system");
});
