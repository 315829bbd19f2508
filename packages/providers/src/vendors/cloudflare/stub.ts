import { readPromptAlone } from "../../protocols/openai/stub/picture-fields.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { PIXEL } from "../../stub-kit/picture-store.ts";
import type { Stub } from "../../stub-kit/stub.ts";

const ACCOUNT = "/client/v4/accounts/[^/]+/ai";

export const cloudflareStub: Stub = {
  apis: [
    openAiApi({
      at: `${ACCOUNT}/v1`,
      routes: {
        [`GET ${ACCOUNT}/models/search`]: listModels,
        [`POST ${ACCOUNT}/run/@cf/black-forest-labs/flux-1-schnell`]: (call) => makePicture(call, ["steps", "seed"]),
        [`POST ${ACCOUNT}/run/@cf/leonardo/lucid-origin`]: (call) =>
          makePicture(call, ["steps", "num_steps", "guidance", "seed", "width", "height"]),
      },
    }),
  ],
};

/** Source: https://developers.cloudflare.com/workers-ai/models/flux-1-schnell/ */
function makePicture(call: Call, fields: readonly string[]): Reply {
  readPromptAlone(call, fields);
  return json({ result: { image: PIXEL }, success: true, errors: [], messages: [] });
}

/** Source: https://developers.cloudflare.com/api/resources/ai/subresources/models/methods/list/ */
function listModels({ settings }: Call): Reply {
  const result = settings.models.map((name) => ({ id: name, name, task: { name: "Text Generation" } }));
  return json({ success: true, result, errors: [], messages: [] });
}
