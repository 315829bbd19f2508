import type { FetchPicture } from "@one-api/providers/provider-io";
import { isIP } from "node:net";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { createPublicAddresses, type PublicAddresses } from "../../platform/network/public-addresses.ts";
import { RelayError } from "../errors/index.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const MIN_CLAIM_BYTES = 64 * 1024;
const PICTURE_TYPE = /^image\/[\w.+-]+/i;

export interface PictureFetcher {
  readonly fetchPicture: FetchPicture;
  close(): Promise<void>;
}

/** Connects only to public addresses and allowed networks, checked per connection. Throws a 400 RelayError without content. */
export function createPictureFetcher(allowedNetworks: readonly string[]): PictureFetcher {
  const addresses = createPublicAddresses(allowedNetworks);
  const client = new Agent({ connect: checkedConnector(addresses) });
  return {
    fetchPicture(url, claimMemory = () => undefined) {
      claimMemory(MIN_CLAIM_BYTES);
      return fetchFrom(client, url, MAX_REDIRECTS, claimMemory);
    },
    close: () => client.destroy(),
  };
}

/** Literal addresses are not looked up, so they are checked here. */
function checkedConnector({ mayFetch, lookUp }: PublicAddresses): buildConnector.connector {
  const connect = buildConnector({ timeout: TIMEOUT_MS, lookup: lookUp });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !mayFetch(host)) callback(new Error(`${host} is not a public address.`), null);
    else connect(options, callback);
  };
}

async function fetchFrom(
  client: Dispatcher,
  address: string,
  redirectsLeft: number,
  claimMemory: (bytes: number) => void,
): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw unreachable("its address is not a plain http or https address");
  }
  const waits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const answer = await request(url, { dispatcher: client, headers: { accept: "image/*" }, ...waits }).catch(() => {
    throw unreachable("it is not at a public address that answers");
  });
  const { statusCode, headers, body } = answer;
  // Errors of an unread body are ignored; a reader receives them itself.
  body.on("error", () => undefined);
  const { location, "content-type": type } = headers;
  if (statusCode >= 300 && statusCode <= 399 && typeof location === "string") {
    body.destroy();
    if (redirectsLeft === 0 || !URL.canParse(location, url.href)) throw unreachable("its address leads on too often");
    return await fetchFrom(client, new URL(location, url.href).href, redirectsLeft - 1, claimMemory);
  }
  if (statusCode !== 200 || typeof type !== "string" || !PICTURE_TYPE.test(type)) {
    body.destroy();
    throw unreachable("there is no picture at its address");
  }
  return (await readBounded(body, claimMemory)).toString("base64");
}

async function readBounded(body: AsyncIterable<Uint8Array>, claimMemory: (bytes: number) => void): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_BYTES) break;
      claimMemory(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RelayError) throw error;
    throw unreachable("its address broke off");
  }
  if (length > MAX_BYTES) throw unreachable(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  return Buffer.concat(chunks);
}

function unreachable(why: string): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "invalid_image_url",
    param: "messages",
    message: `A picture cannot be fetched: ${why}. Send it in the request, as a data URL.`,
  });
}
