import { realtimeSessions } from "../../protocols/openai/stub/realtime.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Stub, StubApi } from "../../stub-kit/stub.ts";

/** Azure's own header, or a bearer token. Throws for both at once. */
const readKey: StubApi["readKey"] = ({ authorization, "api-key": key }) => {
  if (key === undefined) return bearerKey(authorization);
  if (authorization === undefined) return String(key);
  throw new RequestRefused(400, openAiErrorBody("Send either api-key or Authorization."));
};

/** Deployments and version 1. Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const azureStub: Stub = {
  apis: [
    {
      ...openAiApi({
        at: "/openai(?:/v1|/deployments/[^/]+)?",
        routes: { "GET /openai/deployments": listDeployments },
      }),
      readKey,
    },
  ],
  sessions: realtimeSessions({
    path: /^\/openai(?:\/v1)?\/realtime$/,
    readKey({ headers, path, query }) {
      const needsVersion = path === "/openai/realtime" && !new URLSearchParams(query).has("api-version");
      if (needsVersion) throw new RequestRefused(404, openAiErrorBody("Resource not found"));
      const key = headers["api-key"];
      return typeof key === "string" ? key : undefined;
    },
  }),
};

/** The data plane listed deployments until its version of 2022-12-01. */
function listDeployments({ settings }: Call): Reply {
  const data = settings.models.map((id) => ({ id, model: id, status: "succeeded", object: "deployment" }));
  return json({ object: "list", data });
}
