import { groupLimitsSchema, type LimitsOfGroup } from "@one-api/contract/limits/limits";
import type { OptionStore } from "../../core/option-store.ts";

export type FindGroupLimits = (groups: readonly string[]) => LimitsOfGroup | undefined;

/** Reads the option GroupLimits once after each change. */
export function createGroupLimits(options: Pick<OptionStore, "text" | "generation">): FindGroupLimits {
  let [generation, byGroup] = [-1, new Map<string, LimitsOfGroup>()];
  return (groups) => {
    if (generation !== options.generation()) {
      generation = options.generation();
      byGroup = readGroupLimits(options.text("GroupLimits"));
    }
    const group = groups.find((name) => byGroup.has(name));
    return group === undefined ? undefined : byGroup.get(group);
  };
}

function readGroupLimits(text: string): Map<string, LimitsOfGroup> {
  return new Map(text === "" ? [] : Object.entries(groupLimitsSchema.parse(JSON.parse(text))));
}
