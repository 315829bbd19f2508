import type { listLogs, listOwnLogs } from "@one-api/contract/log";
import type { z } from "zod";
import type { LogFilter } from "./log.repository.ts";

type OwnFilterInput = Omit<z.output<(typeof listOwnLogs)["query"]>, "p">;
type FilterInput = Omit<z.output<(typeof listLogs)["query"]>, "p">;

/** The filter on everybody's entries. */
export function filterOnAll(input: FilterInput): LogFilter {
  return { ...commonFilter(input), userId: 0, username: input.username, channelId: input.channel };
}

/** The filter on one user's entries. */
export function filterOnOwn(userId: number, input: OwnFilterInput): LogFilter {
  return { ...commonFilter(input), userId, username: "", channelId: 0 };
}

function commonFilter(input: OwnFilterInput) {
  return {
    type: input.type,
    tokenName: input.token_name,
    modelName: input.model_name,
    startTimestamp: input.start_timestamp,
    endTimestamp: input.end_timestamp,
  };
}
