import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { idParamsSchema, unixSecondsSchema } from "../fields.ts";

export const channelTestSchema = z.object({
  time: z.number(),
  modelName: z.string(),
});

export const testChannel = defineCall({
  method: "GET",
  path: "/api/channel/test/:id",
  access: "admin",
  changesState: true,
  repeatedAtTopLevel: ["time", "modelName"],
  summary: "Tests a channel with a short request to its provider; returns the time that it took",
  params: idParamsSchema,
  query: z.object({ model: z._default(z.string().check(z.trim(), z.maxLength(256)), "") }),
  data: channelTestSchema,
});

export const testChannels = defineCall({
  method: "GET",
  path: "/api/channel/test",
  access: "admin",
  changesState: true,
  summary: "Starts a test of all or of all disabled channels in the background",
  query: z.object({ scope: z._default(z.enum(["all", "disabled"]), "all") }),
  data: z.null(),
});

const channelTestProgressSchema = z.object({
  running: z.boolean(),
  /** Empty before the first run. */
  scope: z.enum(["", "all", "disabled", "selected"]),
  /** Channels of the run; `done` are tested, `failed` are those of them that failed. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  started_at: unixSecondsSchema,
  ended_at: unixSecondsSchema,
  failures: z._default(
    z.array(z.object({ id: z.int(), name: z.string(), failure: z.string(), message: z.string() })),
    [],
  ),
});

export type ChannelTestProgress = z.infer<typeof channelTestProgressSchema>;

export const getChannelTestProgress = defineCall({
  method: "GET",
  path: "/api/channel/test/progress",
  access: "admin",
  summary: "Returns the progress of the running test of many channels, or the result of the last one",
  data: channelTestProgressSchema,
});

export const stopChannelTests = defineCall({
  method: "POST",
  path: "/api/channel/test/stop",
  access: "admin",
  summary: "Stops the running test of many channels and keeps its results; data is its progress",
  data: channelTestProgressSchema,
});
