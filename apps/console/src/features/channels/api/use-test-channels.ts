import { testChannels } from "@one-api/contract/channel";
import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Which channels a test in the background takes. */
export type TestScope = "all" | "disabled";

/** Starts a test of all or of all disabled channels in the background. */
export function useTestChannels() {
  return useMutation({ mutationFn: (scope: TestScope) => callApi(testChannels, { query: { scope } }) });
}
