import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { findLack, LACKS } from "@one-api/contract/channels/channel-needs";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../failure.ts";
import { providerOf } from "../registry.ts";
import { silentIo } from "../testing/silent-io.ts";

const BASES = ["", "https://host.example", "https://host.example/v1/acc/gw/workers-ai", "nowhere"];
const KEYS = ["sk-test", "AKIA1|secret|us-east-1", "AKIA1|secret|nowhere"];
const OTHERS = ["", "something"];
const CONFIGS: readonly ChannelConnection["config"][] = [
  {},
  { user_id: "acc" },
  { region: "us-east-1" },
  { region: "global", vertex_ai_project_id: "p" },
  { region: "us-east-1", vertex_ai_project_id: "p" },
  { vertex_ai_project_id: "p" },
  { library_id: "l" },
];

const connections = BASES.flatMap((baseUrl) =>
  KEYS.flatMap((key) =>
    OTHERS.flatMap((other) =>
      CONFIGS.map((config): ChannelConnection => ({ baseUrl, key, other, config, organization: "" })),
    ),
  ),
);

/** Result of preparing a chat; any preparatory call fails here. */
async function prepare(type: number, connection: ChannelConnection): Promise<"prepared" | "uncallable" | "failed"> {
  const request = { body: Buffer.from("{}"), stream: false, formatHeaders: {} };
  try {
    await providerOf(type)
      ?.serve("chat-completions", "some-model", undefined, connection)
      ?.call(request, connection, silentIo);
    return "prepared";
  } catch (error) {
    return error instanceof UncallableChannelError ? "uncallable" : "failed";
  }
}

describe("a type's declared requirements of channels", () => {
  for (const { type, label } of CHANNEL_TYPES) {
    if (providerOf(type)?.serve("chat-completions", "some-model") === undefined) continue;
    it(`match the calls: ${label}`, async () => {
      for (const connection of connections) {
        const lack = findLack(type, connection);
        const end = await prepare(type, connection);
        const isTold = lack === undefined ? end !== "uncallable" : end !== "prepared";
        assert.ok(isTold, JSON.stringify({ connection, lack, end }));
        if (lack !== undefined) assert.match(LACKS[lack].fix, /^Fill in /);
      }
    });
  }
});
