import type { Channel } from "@one-api/contract/channels/channel";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChannelFilters } from "../channel-list-search.ts";
import { channelIdsQuery } from "../channel-queries.ts";

const NONE: ReadonlySet<number> = new Set();

interface ChosenChannels {
  readonly filter: string;
  readonly ids: ReadonlySet<number>;
}

export function useChannelSelection(keyword: string, filters: ChannelFilters, rows: readonly Channel[]) {
  const filter = JSON.stringify([keyword, filters]);
  const [chosen, setChosen] = useState<ChosenChannels>({ filter, ids: NONE });
  const ids = chosen.filter === filter ? chosen.ids : NONE;
  const { data: listed } = useQuery({ ...channelIdsQuery(keyword, filters), enabled: ids.size > 0 });
  const there = listed === undefined ? ids : new Set([...listed, ...rows.map(({ id }) => id)]);
  const selected = [...ids].every((id) => there.has(id)) ? ids : new Set([...ids].filter((id) => there.has(id)));
  return {
    selected,
    onChange: (keys: ReadonlySet<number | string>) => setChosen({ filter, ids: new Set([...keys].map(Number)) }),
  };
}
