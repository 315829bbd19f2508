import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { STATUS_KEY } from "../../../lib/api/query-client.ts";
import type { OptionChange, SavedOptions } from "./option-draft.ts";

const OPTIONS_KEY = ["options"] as const;

/** Pages that show options, beside the status. */
const SHOWN_ELSEWHERE = ["notice", "home", "about", "pricing", "dashboard"] as const;

export const optionsQuery = queryOptions({
  queryKey: OPTIONS_KEY,
  meta: { shownInPlace: true },
  queryFn: async ({ signal }): Promise<SavedOptions> => {
    const [options, secrets] = await Promise.all([
      callApi("GET /api/option/", { signal }),
      callApi("GET /api/option/secrets", { signal }),
    ]);
    return {
      values: Object.fromEntries(options.map(({ key, value }) => [key, value])),
      secrets,
      defaults: Object.fromEntries(
        options.flatMap(({ key, default: preset }) => (preset === undefined ? [] : [[key, preset]])),
      ),
    };
  },
});

export const useOptions = (isWanted = true) => useQuery({ ...optionsQuery, enabled: isWanted });

/** Last changes of options that were ever set. Under the options' own key, so that a saved one reloads them. */
export const optionChangesQuery = queryOptions({
  queryKey: [...OPTIONS_KEY, "changes"],
  queryFn: ({ signal }) => callApi("GET /api/audit/options", { signal }),
  meta: { quiet: true },
});

export const useOptionChanges = () => useQuery(optionChangesQuery);

export function useOptionHistory(key: string) {
  return useQuery({
    queryKey: [...OPTIONS_KEY, "history", key],
    queryFn: ({ signal }) => callApi("GET /api/audit/options/:key", { params: { key }, signal }),
    meta: { quiet: true },
  });
}

/** Saves options in their order, one call each. Stops at the first refusal; earlier ones stay saved. */
export function useSaveOptions() {
  const client = useQueryClient();
  return useMutation({
    meta: { shownInPlace: true },
    mutationFn: async (options: readonly OptionChange[]) => {
      for (const option of options) await callApi("PUT /api/option/", { body: option });
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: OPTIONS_KEY }),
        client.invalidateQueries({ queryKey: STATUS_KEY }),
        ...SHOWN_ELSEWHERE.map((noun) => client.invalidateQueries({ queryKey: [noun] })),
      ]),
  });
}
