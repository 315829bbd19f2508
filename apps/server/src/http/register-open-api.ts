import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { SESSION_COOKIE } from "./session-cookie.ts";

/** Documents the control API as OpenAPI 3.1 at `/openapi.json` under the instance's prefix. Routes registered later are in it too. */
export async function registerOpenApi(fastify: FastifyInstance): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "One API control API",
        description:
          "Answers are envelopes: success, message, data. A refusal by a business rule is HTTP 200 with success false.",
        version: "1",
      },
      components: {
        securitySchemes: {
          session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
          accessToken: {
            type: "http",
            scheme: "bearer",
            description: "A system access token, made under the own settings.",
          },
        },
      },
      security: [{ session: [] }, { accessToken: [] }],
    },
    transform: jsonSchemaTransform,
  });
  fastify.get("/openapi.json", { config: { access: "anyone" }, schema: { hide: true } }, async () => fastify.swagger());
}
