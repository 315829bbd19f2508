import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, type Endpoint, json, type Reply } from "../../stub-kit/call.ts";
import { drawing } from "../../stub-kit/pictures/drawing.ts";
import { PIXEL } from "../../stub-kit/pictures/picture-store.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const ACCOUNT = "/client/v4/accounts/[^/]+/ai";

export const cloudflareStub: Stub = {
  apis: [
    openAiApi({
      at: `${ACCOUNT}/v1`,
      routes: {
        [`GET ${ACCOUNT}/models/search`]: listModels,
        [`POST ${ACCOUNT}/run/@cf/black-forest-labs/flux-1-schnell`]: draw("steps seed"),
        [`POST ${ACCOUNT}/run/@cf/leonardo/lucid-origin`]: draw("steps num_steps guidance seed width height"),
      },
    }),
  ],
};

function draw(fields: string): Endpoint {
  const answer = () => ({ result: { image: PIXEL }, success: true, errors: [], messages: [] });
  return drawing({ fields, isModelInPath: true, answer });
}

/** Source: https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/ */
function listModels({ settings }: Call): Reply {
  const result = settings.models.map((name) => ({ id: name, name, task: { name: "Text Generation" } }));
  return json({ success: true, result, errors: [], messages: [] });
}
