import { isRootsOwn, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { OperationSection } from "./operation-options.ts";
import type { OtherSection } from "./other-options.ts";
import type { SystemSection } from "./system-options.ts";

export type Section = SystemSection | OperationSection | OtherSection;

export type SectionField = Section["fields"][number];

export interface ShownSection {
  readonly id: Section["id"];
  readonly switches: readonly Section["switches"][number][];
  readonly fields: readonly SectionField[];
}

export interface Viewer {
  readonly isAdmin: boolean;
  readonly isRoot: boolean;
  readonly isNarrowed: boolean;
}

export function maySetOption(key: OptionKey, { isRoot, isNarrowed }: Viewer): boolean {
  return isRoot || !isRootsOwn(key, isNarrowed);
}

export function settablePart(section: Section, viewer: Viewer): ShownSection {
  const maySet = (key: OptionKey) => maySetOption(key, viewer);
  const switches: ShownSection["switches"] = section.switches;
  const fields: ShownSection["fields"] = section.fields;
  return { id: section.id, switches: switches.filter(maySet), fields: fields.filter(({ key }) => maySet(key)) };
}
