import { OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import { expect, test } from "vitest";
import { placeOf, SETTINGS_MAP, shownSections } from "./settings-map.ts";

const root = { isAdmin: true, isRoot: true, isNarrowed: false };
const admin = { ...root, isRoot: false };

test("every option can be set in the settings, in one place", () => {
  const shown = Object.values(SETTINGS_MAP).flatMap((sections) => sections.flatMap(({ keys }) => keys));
  expect(shown.toSorted()).toEqual([...OPTION_KEYS].toSorted());
});

test("every section has a name of its own, as addresses name it", () => {
  const ids = Object.values(SETTINGS_MAP).flatMap((sections) => sections.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  [{}, root, { tab: "personal", section: "account" }],
  [{ tab: "operation" as const }, root, { tab: "operation", section: "general" }],
  [{ tab: "operation" as const, section: "quota" }, root, { tab: "operation", section: "quota" }],
  [{ tab: "operation" as const, section: "smtp" }, root, { tab: "operation", section: "general" }],
  [{ section: "smtp" }, root, { tab: "system", section: "smtp" }],
  [{ section: "smtp" }, { ...admin, isAdmin: false }, { tab: "personal", section: "account" }],
  [{ option: "SMTPPort" }, root, { tab: "system", section: "smtp" }],
  [{ tab: "system" as const }, admin, { tab: "system", section: "login" }],
  [{ tab: "system" as const }, { ...admin, isAdmin: false }, { tab: "personal", section: "account" }],
])("the address %o leads %o to %o", (address, viewer, place) => {
  expect(placeOf(address, viewer)).toMatchObject(place);
});

test("RootOnlySettings takes the sections of prices and pages from administrators", () => {
  const names = (isNarrowed: boolean) =>
    [...shownSections("operation", { ...admin, isNarrowed }), ...shownSections("other", { ...admin, isNarrowed })].map(
      ({ id }) => id,
    );
  expect(names(false)).toEqual(expect.arrayContaining(["ratio", "pages", "notice"]));
  for (const id of ["ratio", "pages", "notice"]) expect(names(true)).not.toContain(id);
});
