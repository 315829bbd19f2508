import pg from "pg";
import { DatabaseStartError } from "../database-errors.ts";

/** Time between two searches, in ms: every failed statement requests one. */
const PAUSE_MS = 200;
/**
 * Values of libpq's target_session_attrs that allow a writable server (postgresql.org/docs/current/libpq-connect.html).
 */
const WRITING: ReadonlySet<string> = new Set(["any", "read-write", "primary", "prefer-standby"]);

const ADDRESS_FORM =
  "DATABASE_URL is not a valid address. It looks like postgres://user:password@host:5432/database, with commas between several hosts; encode special characters of the password.";

/**
 * Returns one address for each host of DATABASE_URL, in its order. Throws DatabaseStartError for an invalid address.
 */
export function splitHosts(databaseUrl: string): readonly string[] {
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(",").map((host) => {
    const address = `${before}${host}${after}`;
    if (!URL.canParse(address)) throw new DatabaseStartError(ADDRESS_FORM);
    const url = new URL(address);
    const wanted = url.searchParams.get("target_session_attrs") ?? "any";
    if (!WRITING.has(wanted)) {
      throw new DatabaseStartError(
        `DATABASE_URL asks for target_session_attrs=${wanted}, and One API must write. Use read-write.`,
      );
    }
    return address;
  });
}

/** Servers of DATABASE_URL. Connections go to the writable one; a search finds it again after a failover. */
export class PostgresHosts {
  readonly #addresses: readonly string[];
  readonly #connectionTo: (address: string) => pg.ClientConfig;
  readonly #addressOf = new WeakMap<object, string>();
  #current: string;
  #isSearching = false;

  constructor(databaseUrl: string, connectionTo: (address: string) => pg.ClientConfig) {
    this.#addresses = splitHosts(databaseUrl);
    this.#connectionTo = connectionTo;
    this.#current = this.#addresses[0] ?? databaseUrl;
  }

  get connection(): pg.ClientConfig {
    return this.#connectionTo(this.#current);
  }

  /** Makes the writable server the current one. Rejects with the errors of all servers if there is none. */
  async find(): Promise<void> {
    if (this.#addresses.length === 1) return;
    this.#current = await Promise.any(this.#addresses.map((address) => this.#checkWrites(address)));
  }

  /** Starts a search in the background, unless there is one server or a search runs. */
  searchSoon(): void {
    if (this.#addresses.length === 1 || this.#isSearching) return;
    this.#isSearching = true;
    const endSoon = () => {
      setTimeout(() => (this.#isSearching = false), PAUSE_MS).unref();
    };
    this.find().then(endSoon, endSoon);
  }

  note(client: object): void {
    this.#addressOf.set(client, this.#current);
  }

  isLeft(client: object): boolean {
    return this.#addressOf.get(client) !== this.#current;
  }

  async #checkWrites(address: string): Promise<string> {
    const client = new pg.Client(this.#connectionTo(address));
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ only: string }>("select current_setting('transaction_read_only') as only");
      if (rows[0]?.only !== "off") throw new Error(`${client.host}:${client.port} only reads`);
      return address;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Returns a class whose clients connect to the current server. */
export function clientClassOf(hosts: PostgresHosts): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === "object" ? config : {}), ...hosts.connection });
      hosts.note(this);
    }
  };
}
