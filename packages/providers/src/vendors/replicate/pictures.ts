import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { replicatePictures } from "./picture-format.ts";
import type { Service } from "../../provider.ts";
import { awaitTask } from "../../shared/await-task.ts";
import { textOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";
import { cancelPrediction, createPrediction } from "./prediction.ts";

/**
 * Replicate holds the first answer for up to 5 s, so quick pictures are in it; others are polled. A prediction without an end is cancelled
 * after 6 minutes.
 * Sources: https://replicate.com/docs/topics/predictions/create-a-prediction, https://replicate.com/changelog/2025-10-16-prediction-deadlines
 */
const WAITS = { prefer: "wait=5", "cancel-after": "6m" };

export function picturesOf(type: ChannelType, model: string): Service {
  return {
    format: replicatePictures,
    exact: false,
    async call(request, connection, io, requester) {
      const account = { type, connection, io };
      const prediction = await createPrediction(account, model, request, WAITS);
      const url = unversionedUrl(type, connection, `/v1/predictions/${encodeURIComponent(textOf(prediction.id))}`);
      return await awaitTask(
        {
          address: { url, headers: bearerHeaders(connection) },
          isRunning: ({ status }) => status === "starting" || status === "processing",
          cancel: () => cancelPrediction(account, prediction),
        },
        io,
        requester,
      );
    },
  };
}
