import type { GetJson } from "@one-api/contract/channels/channel-connection";
import { DIRECT } from "@one-api/contract/channels/channel-proxy";
import type { ProviderIo } from "@one-api/providers/provider-io";
import type { Dispatcher } from "undici";
import {
  createDirectClient,
  createGetJson,
  createProviderIo,
  ProxiedClient,
  SettingClient,
  type SharedIo,
} from "./upstream-client.ts";

interface ProviderCalls {
  readonly client: Dispatcher;
  readonly providerIo: ProviderIo;
  readonly getJson: GetJson;
}

/** Clients of channels' own proxies. Beyond them, the one unused for longest closes after its running requests. */
const MAX_PROXIES = 200;

/** All connections to providers, one pool for each proxy. */
export class Upstream {
  readonly #io: SharedIo;
  readonly #setting: () => string;
  readonly #direct: ProviderCalls;
  readonly #bySetting: ProviderCalls;
  readonly #proxied = new Map<string, ProviderCalls>();

  /** `setting`: address of the proxy that channels without their own use; empty for none. */
  constructor(setting: () => string, io: SharedIo) {
    this.#io = io;
    this.#setting = setting;
    const direct = createDirectClient();
    this.#direct = this.#callsOf(direct);
    this.#bySetting = this.#callsOf(new SettingClient(direct, setting));
  }

  /** `proxy`: that of a channel, which may be empty or `direct`. */
  through(proxy: string): ProviderCalls {
    if (proxy === "") return this.#bySetting;
    if (proxy === DIRECT) return this.#direct;
    const known = this.#proxied.get(proxy);
    if (known !== undefined) this.#proxied.delete(proxy);
    const calls = known ?? this.#callsOf(new ProxiedClient(proxy));
    this.#proxied.set(proxy, calls);
    if (this.#proxied.size > MAX_PROXIES) this.#closeOldest();
    return calls;
  }

  /** Returns the address of the proxy that a channel with this `proxy` uses now; empty for none. */
  addressOf(proxy: string): string {
    if (proxy === "") return this.#setting();
    return proxy === DIRECT ? "" : proxy;
  }

  async destroy(): Promise<void> {
    const all = [this.#bySetting, ...this.#proxied.values()];
    await Promise.all(all.map(({ client }) => client.destroy()));
  }

  #callsOf(client: Dispatcher): ProviderCalls {
    return { client, providerIo: createProviderIo(client, this.#io), getJson: createGetJson(client) };
  }

  #closeOldest(): void {
    const [oldest] = this.#proxied;
    if (oldest === undefined) return;
    this.#proxied.delete(oldest[0]);
    // Errors of its running requests go to their callers.
    void oldest[1].client.close().catch(() => undefined);
  }
}
