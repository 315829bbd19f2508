import { getAvailableModels } from "@one-api/contract/user";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";
import { useCurrentUser } from "../../../lib/session.ts";

const WELL_KNOWN_MODEL = "gpt-4o-mini";

/** A model for examples: one that the user can call, else a well-known one. */
export function useExampleModel(): string {
  const user = useCurrentUser();
  const models = useQuery({
    queryKey: ["models", "available"],
    queryFn: ({ signal }) => callApi(getAvailableModels, { signal }),
    enabled: user !== undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const names = models.data ?? [];
  return names.includes(WELL_KNOWN_MODEL) ? WELL_KNOWN_MODEL : (names[0] ?? WELL_KNOWN_MODEL);
}
