import type { WhatIfInput } from "@one-api/contract/usage/what-if";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";

/** Every channel with its numbers. */
export const allChannelsQuery = queryOptions({
  queryKey: ["channels", "all"],
  queryFn: ({ signal }) => callApi("GET /api/channel/search", { query: { keyword: "" }, signal }),
  meta: { quiet: true },
});

/** The period as it was. */
export const presentQuery = (days: WhatIfInput["days"]) =>
  queryOptions({
    queryKey: ["what-if", days],
    queryFn: ({ signal }) => callApi("POST /api/what-if", { body: { days }, signal }),
    staleTime: 60_000,
    retry: false,
    meta: { quiet: true },
  });

export const useForeseeChange = () =>
  useMutation({
    mutationFn: (body: WhatIfInput) => callApi("POST /api/what-if", { body }),
    meta: { shownInPlace: true },
  });
