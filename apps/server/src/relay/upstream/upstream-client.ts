import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { Http1Client } from "@one-api/http1/client/http1-client";
import { copyIfPooled, withOwnBody } from "@one-api/http1/client/pooled-body";
import { sharedRead } from "@one-api/http1/client/read-options";
import { readError } from "@one-api/providers/protocols/read-error";
import { AccessTokenCache } from "@one-api/providers/access-token-cache";
import { UploadedFileCache, type ProviderIo } from "@one-api/providers/provider-io";
import type { GetJson } from "@one-api/contract/channels/channel-connection";
import { Agent, Dispatcher, request } from "undici";
import { AppError } from "../../core/app-error.ts";
import type { Clock } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { checkedConnector, hostAddresses } from "../../platform/network/checked-connector.ts";
import { MAX_TTL_MS } from "../../platform/network/host-addresses.ts";
import { CONNECT_TIMEOUT_MS, createProxyClient } from "../../platform/network/proxy-client.ts";
import { TimeSlices } from "../../platform/work/time-slices.ts";
import { explainFailure, failureOfError } from "./read-failure.ts";

const KEEP_ALIVE = { keepAliveTimeout: 60_000, keepAliveMaxTimeout: 60_000 } as const;

export function currentProxy(options: Pick<OptionStore, "flag" | "secret">): string {
  return options.flag("GlobalProxyEnabled") ? options.secret("HttpProxy") : "";
}

/** Fast connections read in one tick of the event loop, 64 KiB each. */
const READS_PER_TICK = 16;

/** Checks the address of every new connection. */
export function createDirectClient(): Dispatcher {
  const reads = new TimeSlices(READS_PER_TICK);
  return new Http1Client({
    connect: checkedConnector(CONNECT_TIMEOUT_MS, { allowH2: false, onread: sharedRead }),
    fallback: new Agent({ ...KEEP_ALIVE, clientTtl: MAX_TTL_MS, connect: checkedConnector(CONNECT_TIMEOUT_MS) }),
    isCurrent: (hostname, address) => hostAddresses.isCurrent(hostname, address),
    scheduleRead: (read) => reads.schedule(read),
  });
}

/** Sends all requests through one proxy. */
export class ProxiedClient extends Dispatcher {
  readonly #client: Dispatcher;

  constructor(proxy: string) {
    super();
    this.#client = createProxyClient(proxy, KEEP_ALIVE);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#client.dispatch(withOwnBody(options), handler);
  }

  override close(): Promise<void> {
    return this.#client.close();
  }

  override destroy(): Promise<void> {
    return this.#client.destroy();
  }
}

/** Follows changes of the setting. Running requests end on the connection where they began. */
export class SettingClient extends Dispatcher {
  readonly #direct: Dispatcher;
  readonly #proxyNow: () => string;
  #proxied: { readonly proxy: string; readonly client: Dispatcher } | undefined;

  constructor(direct: Dispatcher, proxyNow: () => string) {
    super();
    this.#direct = direct;
    this.#proxyNow = proxyNow;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#current().dispatch(options, handler);
  }

  override async close(): Promise<void> {
    await Promise.all([this.#direct.close(), this.#proxied?.client.close()]);
  }

  override async destroy(): Promise<void> {
    await Promise.all([this.#direct.destroy(), this.#proxied?.client.destroy()]);
  }

  #current(): Dispatcher {
    const proxy = this.#proxyNow();
    if (proxy === this.#proxied?.proxy) return this.#proxied.client;
    const before = this.#proxied?.client;
    // It closes after its running requests. Errors are ignored.
    void before?.close().catch(() => undefined);
    this.#proxied = undefined;
    if (proxy === "") return this.#direct;
    const client = new ProxiedClient(proxy);
    this.#proxied = { proxy, client };
    return client;
  }
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
/** Limit for a whole answer: a slow one must not block its caller, or the key whose token it contains. */
const READ_MS = 30_000;

/** Reads JSON about a provider's account. Throws `upstream-failed` for anything but JSON with a good status in time. */
export function createGetJson(client: Dispatcher, readMs = READ_MS): GetJson {
  return async (url, headers) => {
    const answer = await request(url, {
      dispatcher: client,
      headers,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    }).catch((error: Error) => {
      throw new AppError("upstream-failed", explainFailure(failureOfError(error, false)));
    });
    const text = await readLimited(answer.body, readMs);
    const failure = () => new AppError("upstream-failed", readError(answer.statusCode, answer.headers, text).message);
    if (answer.statusCode < 200 || answer.statusCode > 299) throw failure();
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch {
      throw failure();
    }
  };
}

async function readLimited(
  body: AsyncIterable<Uint8Array> & Pick<Readable, "destroy">,
  mostMs: number,
): Promise<string> {
  const end = setTimeout(
    () => body.destroy(new AppError("upstream-failed", "The provider's answer took too long.")),
    mostMs,
  );
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > MAX_BYTES) throw new AppError("upstream-failed", "The provider's answer is too long.");
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(end);
  }
  return Buffer.concat(chunks).toString();
}

const FILE_TIMEOUT_MS = 60_000;
const MAX_FILES = 10_000;
const MAX_TOKENS = 1_000;

/** Parts of `ProviderIo` that all of a server's calls share. */
export type SharedIo = Omit<ProviderIo, "ask">;

export function createSharedIo(clock: Pick<Clock, "nowMs">, fetchPicture: ProviderIo["fetchPicture"]): SharedIo {
  return {
    fetchPicture,
    nowMs: () => clock.nowMs(),
    wait: (ms) => wait(ms),
    files: new UploadedFileCache(MAX_FILES),
    tokens: new AccessTokenCache(MAX_TOKENS),
  };
}

export function createProviderIo(client: Dispatcher, shared: SharedIo): ProviderIo {
  return {
    ...shared,
    async ask({ method, url, headers, body, timeoutMs = FILE_TIMEOUT_MS }) {
      const waits = { headersTimeout: timeoutMs, bodyTimeout: Math.min(timeoutMs, TIMEOUT_MS) };
      const answer = await request(url, {
        dispatcher: client,
        method,
        headers,
        body: method === "GET" ? null : copyIfPooled(body),
        ...waits,
      });
      return { status: answer.statusCode, headers: answer.headers, text: await readLimited(answer.body, READ_MS) };
    },
  };
}
