import { splitList } from "@one-api/contract/texts";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";

/** Throws `user-group-unknown` for a group without a ratio. Groups in `before`, the user's current list, are exempt. */
export function checkGroups(options: OptionStore, group: string, before = ""): void {
  const known = new Set([...options.ratios("GroupRatio").keys(), ...splitList(before)]);
  const unknown = splitList(group).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new AppError("user-group-unknown", `There is no group ${unknown}. Give it a ratio in GroupRatio first.`, {
    field: "group",
    values: { group: unknown },
  });
}
