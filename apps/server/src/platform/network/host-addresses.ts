import type { LookupAddress } from "node:dns";

const MIN_TTL_MS = 1_000;
export const MAX_TTL_MS = 300_000;
/** Of names without a record in DNS, such as those of the hosts file. */
const DEFAULT_TTL_MS = 30_000;
/** Time after its end in which an answer still serves while DNS fails. */
const STALE_MS = 60_000;
/** Time for a new answer before an expired one serves. */
const PATIENCE_MS = 1_000;
/** Time between two questions for a name that has an answer, while DNS fails. */
const RETRY_MS = 1_000;
const MAX_HOSTS = 1_000;

type Addresses = readonly LookupAddress[];

export interface HostResolver {
  /** Returns addresses as the system resolves the name (getaddrinfo, with the hosts file). Rejects with its error. */
  readonly addresses: (hostname: string) => Promise<Addresses>;
  /** Returns the shortest TTL of the name's A and AAAA records in seconds; undefined without a record. Never rejects. */
  readonly ttlSeconds: (hostname: string) => Promise<number | undefined>;
}

interface Answer {
  readonly addresses: Addresses;
  expiresMs: number;
}

interface Host {
  answer: Answer | undefined;
  question: Promise<Addresses> | undefined;
  retryMs: number;
}

/**
 * Addresses of host names, each used for at most its TTL.
 *
 * | state   | an address comes from                                    | next                                   |
 * |---------|----------------------------------------------------------|----------------------------------------|
 * | unknown | DNS                                                      | fresh, with an answer                  |
 * | fresh   | the answer                                               | expired, after its TTL                 |
 * | expired | DNS; the answer if DNS fails or takes more than a second | fresh, with an answer; unknown, in 60 s |
 */
export class HostAddresses {
  readonly #resolver: HostResolver;
  readonly #nowMs: () => number;
  readonly #hosts = new Map<string, Host>();

  /** `nowMs`: monotonic. */
  constructor(resolver: HostResolver, nowMs: () => number) {
    this.#resolver = resolver;
    this.#nowMs = nowMs;
  }

  /** Rejects with the resolver's error. Calls for one name share a question. */
  async find(hostname: string): Promise<Addresses> {
    const host = this.#hostOf(hostname);
    const { answer } = host;
    const now = this.#nowMs();
    if (answer !== undefined && now < answer.expiresMs) return answer.addresses;
    if (answer === undefined || now >= answer.expiresMs + STALE_MS) return this.#ask(hostname, host);
    return now < host.retryMs ? answer.addresses : firstOf(this.#ask(hostname, host), answer.addresses);
  }

  /**
   * True unless the name's latest answer lacks the address. Asks again in the background if that answer has expired, so that kept
   * connections follow a change.
   */
  isCurrent(hostname: string, address: string): boolean {
    const host = this.#hosts.get(hostname);
    if (host?.answer === undefined) return true;
    const now = this.#nowMs();
    // The error goes to the next new connection.
    if (now >= host.answer.expiresMs && now >= host.retryMs) this.#ask(hostname, host).catch(() => undefined);
    return host.answer.addresses.some((known) => known.address === address);
  }

  #hostOf(hostname: string): Host {
    const known = this.#hosts.get(hostname);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear();
    const host: Host = { answer: undefined, question: undefined, retryMs: 0 };
    this.#hosts.set(hostname, host);
    return host;
  }

  #ask(hostname: string, host: Host): Promise<Addresses> {
    host.question ??= this.#resolve(hostname, host)
      .catch((error: unknown) => {
        host.retryMs = this.#nowMs() + RETRY_MS;
        throw error;
      })
      .finally(() => (host.question = undefined));
    return host.question;
  }

  /** The addresses do not wait for the TTL, which getaddrinfo does not report. */
  async #resolve(hostname: string, host: Host): Promise<Addresses> {
    const addresses = await this.#resolver.addresses(hostname);
    const atMs = this.#nowMs();
    const answer: Answer = { addresses, expiresMs: atMs + DEFAULT_TTL_MS };
    host.answer = answer;
    void this.#resolver.ttlSeconds(hostname).then((seconds) => {
      if (seconds !== undefined) answer.expiresMs = atMs + Math.min(Math.max(seconds * 1000, MIN_TTL_MS), MAX_TTL_MS);
    });
    return addresses;
  }
}

/** Returns the new addresses, or the old ones if DNS fails or is slow. */
async function firstOf(question: Promise<Addresses>, old: Addresses): Promise<Addresses> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<Addresses>((resolve) => {
    timer = setTimeout(() => resolve(old), PATIENCE_MS);
  });
  try {
    return await Promise.race([question.catch(() => old), patience]);
  } finally {
    clearTimeout(timer);
  }
}
