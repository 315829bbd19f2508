import { getSelf } from "@one-api/contract/user";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../lib/api-client.ts";

/** Loads the own user. */
export function useSelf() {
  return useQuery({ queryKey: ["users", "self"], queryFn: ({ signal }) => callApi(getSelf, { signal }) });
}
