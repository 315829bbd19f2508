import { splitList } from "@one-api/contract/fields";

const DEFAULT_GROUP = "default";

/** The groups of a user's comma-separated list; an empty list is the default group. */
export function groupsOfUser(group: string): string[] {
  const groups = splitList(group);
  return groups.length === 0 ? [DEFAULT_GROUP] : groups;
}
