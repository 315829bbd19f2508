import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import fastifyStatic from "@fastify/static";
import { REQUEST_ID_HEADER } from "@one-api/contract/constants";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OptionStore } from "../core/option-store.ts";
import { refusalEnvelope, replyWithError, replyWithoutCall } from "./reply-with-error.ts";
import { pagePolicy, setSecurityHeaders } from "./security-headers.ts";

const PAGE_FILE = "index.html";
const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const BASE_PATH_PLACEHOLDER = "__BASE_PATH__";
/** Addresses of the page's own files, which would be relative to the route that is shown. */
const RELATIVE_ADDRESS = /((?:src|href)=")\.\//g;
const NONCE_BYTES = 18;
const ASSETS_FOLDER = "assets";
const ASSET_MAX_AGE_SECONDS = 365 * 24 * 3600;
/** The logo keeps its name from version to version, and a page shows it twice. */
const LOGO_MAX_AGE_SECONDS = 3600;
/** Usual addresses of probes and metrics. A monitor must not take the page for an answer. */
const OF_MONITORS = /^\/(?:metrics|health[a-z]*|live(?:z|ness)?|read(?:y|yz|iness)|ping|-|actuator)(?:[/?]|$)/i;
const logo = /\/logo\.(?:png|svg)$/;
const NOT_BUILT = "The console is not built yet. Run npm start, which builds it.";

/** Serves the console's files, and its page for all other addresses, which the console routes itself. Must be registered last. */
export function registerConsole(app: FastifyInstance, page: ConsolePage): void {
  const { directory } = page;
  app.register(async (pages) => {
    pages.addHook("onRequest", async (request, reply) => {
      const isDocument = !request.url.startsWith(`/${ASSETS_FOLDER}/`);
      await setSecurityHeaders(request, reply, { isDocument });
      if (isDocument) void reply.header(REQUEST_ID_HEADER, request.id);
    });
    pages.setErrorHandler(replyWithError);
    pages.setNotFoundHandler((request, reply) => sendPageOrNotFound(page, request, reply));
    if (!existsSync(join(directory, PAGE_FILE))) return;
    await pages.register(fastifyStatic, {
      root: directory,
      index: false,
      // The page needs its nonce, and folders are the console's routes; everything else is sent as it is.
      allowedPath: (path) => path !== `/${PAGE_FILE}` && !/\/$|\.(?:br|gz)$/.test(path),
      cacheControl: false,
      // Their entity tags say the same and more.
      lastModified: false,
      acceptRanges: false,
      // The build writes a .br and a .gz file beside each text file.
      preCompressed: true,
      setHeaders: (reply, path) => void reply.header("cache-control", cacheControlOf(path, directory)),
    });
  });
}

function cacheControlOf(path: string, directory: string): string {
  const hashed = path.startsWith(join(directory, ASSETS_FOLDER) + sep);
  if (hashed) return `public, max-age=${ASSET_MAX_AGE_SECONDS}, immutable`;
  return logo.test(path) ? `public, max-age=${LOGO_MAX_AGE_SECONDS}` : "no-cache";
}

interface ConsolePage {
  readonly directory: string;
  readonly basePathOf: (request: FastifyRequest) => string;
  readonly options: Pick<OptionStore, "flag" | "text">;
}

function sendPageOrNotFound(
  page: ConsolePage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | FastifyReply {
  // A client that asks for a call this version does not have must not take the page for its answer.
  if (/^\/api(?:[/?]|$)/.test(request.url)) return replyWithoutCall(request, reply);
  const reads = request.method === "GET" || request.method === "HEAD";
  // The page in place of a missing script would only hide that it is missing.
  if (!reads || request.url.startsWith(`/${ASSETS_FOLDER}/`) || OF_MONITORS.test(request.url)) {
    return reply.code(404).send(refusalEnvelope("There is nothing at this address.", "not-found"));
  }
  return sendPage(page, request, reply);
}

async function sendPage(
  { directory, basePathOf, options }: ConsolePage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const page = await readFile(join(directory, PAGE_FILE), "utf8").catch(() => undefined);
  void reply.header("cache-control", "no-cache");
  if (page === undefined) return reply.code(503).type("text/plain; charset=utf-8").send(NOT_BUILT);
  const basePath = basePathOf(request);
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const { default: usual } = OPTION_DEFINITIONS.TurnstileAddress;
  const humanCheck = options.flag("TurnstileCheckEnabled") ? options.text("TurnstileAddress") || usual : "";
  const html = page
    .replaceAll(NONCE_PLACEHOLDER, nonce)
    .replaceAll(BASE_PATH_PLACEHOLDER, basePath)
    .replaceAll(RELATIVE_ADDRESS, `$1${basePath}/`);
  void reply
    .header("content-security-policy", pagePolicy(nonce, humanCheck))
    .header("vary", "accept-encoding, x-forwarded-prefix")
    .type("text/html; charset=utf-8");
  const encoding = encodingFor(request.headers["accept-encoding"]);
  if (encoding === undefined) return reply.send(html);
  return reply.header("content-encoding", encoding).send(compress(html, encoding));
}

/** Preferred encoding of an Accept-Encoding header; brotli wins a tie. Undefined for none. */
function encodingFor(accepted: string | undefined): "br" | "gzip" | undefined {
  const weights = new Map(
    (accepted ?? "")
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [name, Number(weight ?? 1)];
      }),
  );
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const best = weightOf("br") >= weightOf("gzip") ? "br" : "gzip";
  return weightOf(best) > 0 ? best : undefined;
}

/** Fast levels, since the page is compressed for every request. */
function compress(text: string, encoding: "br" | "gzip"): Buffer {
  if (encoding === "gzip") return gzipSync(text);
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
