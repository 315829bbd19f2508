import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelNamesQuery } from "../channel-queries.ts";

/** Returns the name of the type, with the first number that makes it unlike the names of other channels. */
function freeName(label: string, taken: readonly string[]): string {
  const used = new Set(taken);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? label : `${label} ${number}`;
    if (!used.has(name)) return name;
  }
}

/** Returns a name for a new channel of the type; empty for a stored one. */
export function useSuggestedName(type: number, isNew: boolean): string {
  const { language } = useTranslation();
  const label = isNew ? (channelTypeLabel(type, language) ?? "") : "";
  const { data: taken = [] } = useQuery({ ...channelNamesQuery(label), enabled: label !== "" });
  return label === "" ? "" : freeName(label, taken);
}
