import { constants } from "node:zlib";
import compress from "@fastify/compress";
import swagger, { type SwaggerTransformObject } from "@fastify/swagger";
import cookie from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { SESSION_COOKIE } from "./credentials.ts";
import { OLDER_REQUEST_ID_HEADER, REQUEST_ID_HEADER } from "@one-api/contract/constants";
import type { CallRegistry } from "../core/call-registry.ts";
import { AppError } from "../core/app-error.ts";
import { CONTROL_PREFIX, type CallRegistryDeps, createCallRegistry } from "./create-call-registry.ts";
import { findRepeatedName } from "./find-repeated-name.ts";
import { replyWithError, replyWithoutCall } from "./reply-with-error.ts";
import { setSecurityHeaders } from "./security-headers.ts";

/** Answers shorter than this, in bytes, fit into a packet as they are. */
const COMPRESSED_FROM_BYTES = 1_024;
/** Of 11 levels. Each higher one costs several times more for little gain. */
const BROTLI_QUALITY = 4;

/** Registers the control API under its prefix. `registerCalls` registers the features' calls. */
export function registerControlPlane(
  app: FastifyInstance,
  deps: CallRegistryDeps,
  registerCalls: (registry: CallRegistry) => void,
): void {
  app.register(
    async (control) => {
      control.addHook("onRequest", async (request, reply) => {
        await setSecurityHeaders(request, reply, { isDocument: false });
        void reply
          .header("cache-control", "no-store")
          .header(REQUEST_ID_HEADER, request.id)
          .header(OLDER_REQUEST_ID_HEADER, request.id);
        if (request.is404) await replyWithoutCall(request, reply);
      });
      control.addHook("onRoute", (route) => {
        if (route.config?.access === undefined) throw new Error(`The route ${route.url} does not say who may use it.`);
      });
      takeJson(control);
      control.setErrorHandler(replyWithError);
      control.setNotFoundHandler(replyWithoutCall);
      await control.register(cookie);
      // Only JSON answers are compressed: a compressor would delay exports and the log's tail.
      await control.register(compress, {
        // A caller could send a megabyte that unpacks to a gigabyte.
        globalDecompression: false,
        threshold: COMPRESSED_FROM_BYTES,
        encodings: ["br", "gzip"],
        customTypes: /^application\/json/,
        brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
      });
      await registerOpenApi(control);
      registerCalls(createCallRegistry(control, deps));
    },
    { prefix: CONTROL_PREFIX },
  );
}

/**
 * Parses every body as JSON for any content type: curl and older scripts call it a form. same-origin.ts refuses forms
 * of other sites. Refuses duplicate names.
 */
function takeJson(control: FastifyInstance): void {
  const parse = control.getDefaultJsonParser("error", "error");
  control.removeAllContentTypeParsers();
  control.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
    const text = String(body);
    if (text === "") return done(null, undefined);
    void parse(request, text, (error, json) => {
      if (error !== null) return done(error);
      const name = findRepeatedName(text);
      if (name === undefined) return done(null, json);
      const message = `"${name.slice(0, 64)}" stands twice in one object of the request. Send it once.`;
      done(
        new AppError("body-repeated-name", message, { field: name.slice(0, 64), values: { name: name.slice(0, 64) } }),
      );
    });
  });
}

/** Without the schemas of answers as inputs, to which nothing refers. */
const writeComponents: SwaggerTransformObject = (document) => {
  const written = jsonSchemaTransformObject(document);
  const schemas = "components" in written ? written.components?.schemas : undefined;
  for (const name in schemas) if (name.endsWith("Input")) delete schemas[name];
  return written;
};

/** Documents the control API as OpenAPI 3.1 at `/openapi.json` under the instance's prefix. Routes registered later are in it too. */
async function registerOpenApi(fastify: FastifyInstance): Promise<void> {
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
          managementKey: {
            type: "http",
            scheme: "bearer",
            description: "A management key with the scope that the call names.",
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: writeComponents,
  });
  fastify.get("/openapi.json", { config: { access: "anyone" }, schema: { hide: true } }, async () => fastify.swagger());
}
