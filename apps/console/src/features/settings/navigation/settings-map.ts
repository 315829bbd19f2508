import type { OptionKey } from "@one-api/contract/options/option-definitions";
import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import { OPERATION_SECTIONS, type OperationSection } from "../fields/operation-options.ts";
import { maySetOption, type Viewer } from "../fields/shown-section.ts";
import { OTHER_SECTIONS, type OtherSection } from "../fields/other-options.ts";
import { SYSTEM_SECTIONS, type SystemSection } from "../fields/system-options.ts";
import { SETTINGS_TABS, type SettingsTab } from "./settings-search.ts";

export type SectionId = "account" | "security" | "ratio" | (OperationSection | OtherSection | SystemSection)["id"];

export interface MappedSection {
  readonly id: SectionId;
  readonly keys: readonly OptionKey[];
}

type OptionSection = OperationSection | OtherSection | SystemSection;

function mapped({ id, switches, fields }: OptionSection): MappedSection {
  return { id, keys: [...switches, ...fields.map(({ key }) => key)] };
}

/** Every section by its tab, in the order of the navigation. */
export const SETTINGS_MAP: Readonly<Record<SettingsTab, readonly MappedSection[]>> = {
  personal: [
    { id: "account", keys: [] },
    { id: "security", keys: [] },
  ],
  operation: [...OPERATION_SECTIONS.map(mapped), { id: "ratio", keys: PRICE_KEYS }],
  system: SYSTEM_SECTIONS.map(mapped),
  other: OTHER_SECTIONS.map(mapped),
};

export interface SettingsPlace {
  readonly tab: SettingsTab;
  readonly section: SectionId;
}

function placeWhere(fits: (section: MappedSection) => boolean): SettingsPlace | undefined {
  for (const tab of SETTINGS_TABS) {
    const found = SETTINGS_MAP[tab].find(fits);
    if (found !== undefined) return { tab, section: found.id };
  }
  return undefined;
}

export function placeOfOption(option: string | undefined): SettingsPlace | undefined {
  return placeWhere(({ keys }) => keys.some((key) => key === option));
}

/** Returns the sections of a tab in which the viewer may set something. */
export function shownSections(tab: SettingsTab, viewer: Viewer): readonly MappedSection[] {
  return SETTINGS_MAP[tab].filter(({ keys }) => keys.length === 0 || keys.some((key) => maySetOption(key, viewer)));
}

interface WantedPlace {
  readonly tab?: SettingsTab | undefined;
  readonly section?: string | undefined;
  readonly option?: string | undefined;
}

/**
 * Returns the place that an address names: its section, else that of its option, else the first of its tab that the viewer may set.
 */
export function placeOf({ tab: wanted, section, option }: WantedPlace, viewer: Viewer): SettingsPlace {
  const ofOption = placeOfOption(option);
  const ofSection = placeWhere(({ id }) => id === section);
  const tab = viewer.isAdmin ? (wanted ?? ofSection?.tab ?? ofOption?.tab ?? "personal") : "personal";
  const named = SETTINGS_MAP[tab].find(({ id }) => id === section);
  if (named !== undefined) return { tab, section: named.id };
  if (ofOption?.tab === tab) return ofOption;
  const [first = SETTINGS_MAP[tab][0]] = shownSections(tab, viewer);
  return { tab, section: first?.id ?? "account" };
}
