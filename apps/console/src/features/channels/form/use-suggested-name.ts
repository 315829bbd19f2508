import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelNamesQuery } from "../channel-queries.ts";
import type { ChannelFormState } from "./channel-form-model.ts";
import { useFillIn, useLatest } from "./use-fill-in.ts";

/** Returns the name of the type, with the first number that makes it unlike the names of other channels. */
function freeName(label: string, taken: readonly string[]): string {
  const used = new Set(taken);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? label : `${label} ${number}`;
    if (!used.has(name)) return name;
  }
}

/** Fills in a free name of a new channel's type, until a name is typed. A batch is named by hand. */
export function useSuggestedName(form: ChannelFormState, isNew: boolean): void {
  const { language } = useTranslation();
  const { type, isBatch } = form.values;
  const label = isNew && !isBatch ? (channelTypeLabel(type, language) ?? "") : "";
  const { data: taken = [], isPending } = useQuery({ ...channelNamesQuery(label), enabled: label !== "" });
  const suggested = label === "" || isPending ? "" : freeName(label, taken);
  const fillIn = useLatest(useFillIn(form, "name"));
  useEffect(() => {
    if (suggested !== "") fillIn.current(suggested);
  }, [suggested, fillIn]);
}
