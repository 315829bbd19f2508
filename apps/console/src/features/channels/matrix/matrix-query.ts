import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi } from "../../../lib/api/api-client.ts";
import { CHANNELS_KEY } from "../channel-queries.ts";

interface MatrixQuestion {
  readonly group: string;
  readonly keyword: string;
  /** Comma-separated ids; undefined for the present state. */
  readonly without?: string | undefined;
}

export const channelMatrixQuery = (question: MatrixQuestion) =>
  queryOptions({
    queryKey: [...CHANNELS_KEY, "matrix", question],
    queryFn: ({ signal }) => callApi("GET /api/channel/matrix", { query: question, signal }),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
