import { OPTION_KEYS } from "@one-api/contract/option";
import { expect, test } from "vitest";
import { OPERATION_SECTIONS } from "./operation/operation-options.ts";
import { savedTexts } from "./operation/ratios/ratio-model.ts";
import { OTHER_SECTIONS } from "./other/other-options.ts";
import { SYSTEM_SECTIONS } from "./system/system-options.ts";

test("every option can be set in the settings, in one place", () => {
  const sections = [...SYSTEM_SECTIONS, ...OPERATION_SECTIONS, ...OTHER_SECTIONS];
  const shown = sections.flatMap(({ switches, fields }) => [...switches, ...fields.map(({ key }) => key)]);
  const inTables = Object.keys(savedTexts({ values: {}, secrets: [], defaults: {} }));
  expect([...shown, ...inTables].toSorted()).toEqual([...OPTION_KEYS].toSorted());
});
