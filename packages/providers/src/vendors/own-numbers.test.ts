import assert from "node:assert/strict";
import { it } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { providerOf } from "../registry.ts";
import { silentIo } from "../testing/silent-io.ts";
import { mistralBatches } from "./mistral/batches.ts";

const NUMBERS = '{"id":12345678901234567890,"x":1.0,"list":[-0,1e3]}';
const REQUEST = `{"contents":[{"parts":[{"functionCall":{"name":"f","args":${NUMBERS}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${NUMBERS}}]}]}`;
const CONNECTION: ChannelConnection = {
  baseUrl: "",
  key: "key",
  other: "",
  organization: "",
  config: { region: "us-east1", vertex_ai_project_id: "p" },
};
const COUNTING: Readonly<Record<string, number>> = { Gemini: 24, "Vertex AI": 42 };

for (const [name, type] of Object.entries(COUNTING)) {
  it(`a token count at ${name} has the exact numbers`, async () => {
    for (const body of [REQUEST, `{"generateContentRequest":${REQUEST}}`]) {
      const request = { body: Buffer.from(body), stream: false, formatHeaders: {} };
      const service = providerOf(type)?.serve("token-counts", "gemini-3-flash-preview", undefined, CONNECTION);
      const call = await service?.call(request, CONNECTION, silentIo);
      const asked = call?.body?.toString() ?? "";
      assert.equal(asked.split(NUMBERS).length - 1, 2, asked);
    }
  });
}

it("a line of a batch at Mistral has the exact numbers", () => {
  const body = `{"model":"m","messages":[],"tools":[{"type":"function","function":{"name":"f","parameters":${NUMBERS}}}]}`;
  const line = mistralBatches.writeLine({ customId: "1", endpoint: "/v1/chat/completions", body });
  assert.ok(line.includes(NUMBERS), line);
  assert.ok(!line.includes('"model"'));
});
