import { realtimeSessions } from "../../protocols/openai/stub/realtime.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import { type Call, json, type Reply } from "../../stub-kit/call.ts";
import { bearerKey, refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** Deployments and version 1. Source: https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const azureStub: Stub = {
  apis: [
    {
      ...openAiApi({
        at: "/openai(?:/v1|/deployments/[^/]+)?",
        routes: { "GET /openai/deployments": listDeployments },
      }),
      readKey({ authorization, "api-key": key }) {
        if (key === undefined) return bearerKey(authorization);
        return authorization === undefined ? String(key) : refuse("Send either api-key or Authorization.");
      },
    },
  ],
  sessions: realtimeSessions({
    path: /^\/openai(?:\/v1)?\/realtime$/,
    readKey({ headers, path, query }) {
      const needsVersion = path === "/openai/realtime" && !new URLSearchParams(query).has("api-version");
      if (needsVersion) refuse("Resource not found", { status: 404 });
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
