import { listChannels } from "@one-api/contract/channel";
import { listOwnLogs, LOG_TYPE } from "@one-api/contract/log";
import { listTokens } from "@one-api/contract/token";
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client.ts";

/** Which of the first steps are done; undefined while that is not known. */
export interface FirstSteps {
  readonly channelAdded: boolean | undefined;
  readonly channelTested: boolean | undefined;
  readonly tokenCreated: boolean | undefined;
  readonly callMade: boolean | undefined;
}

const quiet = { meta: { quiet: true }, retry: false } as const;

/** Finds out how far somebody has come; channels only for administrators. */
export function useFirstSteps(isAdmin: boolean): FirstSteps {
  const channels = useQuery({
    queryKey: ["channels", "first"],
    queryFn: ({ signal }) => callApi(listChannels, { query: { p: 0 }, signal }),
    enabled: isAdmin,
    ...quiet,
  });
  const tokens = useQuery({
    queryKey: ["tokens", "first"],
    queryFn: ({ signal }) => callApi(listTokens, { query: { p: 0 }, signal }),
    ...quiet,
  });
  const calls = useQuery({
    queryKey: ["logs", "first"],
    queryFn: ({ signal }) => callApi(listOwnLogs, { query: { p: 0, type: LOG_TYPE.consumption }, signal }),
    ...quiet,
  });
  return {
    channelAdded: channels.data && channels.data.length > 0,
    channelTested: channels.data?.some((channel) => channel.response_time > 0),
    tokenCreated: tokens.data && tokens.data.length > 0,
    callMade: calls.data && calls.data.length > 0,
  };
}
