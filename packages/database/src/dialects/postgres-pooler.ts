import pg from "pg";
import { DatabaseStartError } from "../database-errors.ts";

const ROUNDS = 3;

const REFUSAL =
  "DATABASE_URL leads to a pooler that gives each transaction another connection (PgBouncer with pool_mode = transaction or statement). One API needs sessions: for prepared statements, settings and notifications. Point DATABASE_URL at PostgreSQL itself, or at a pool with pool_mode = session.";

/**
 * Throws DatabaseStartError for a pooler that does not pool by sessions: two open connections reach one backend, or one
 * connection several.
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig): Promise<void> {
  const clients = [new pg.Client(connection), new pg.Client(connection)];
  try {
    const backends = clients.map(() => new Set<number>());
    for (const client of clients) {
      client.on("error", () => undefined);
      await client.connect();
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // In alternating order: a pooler that rotates its backends would otherwise give each connection its own.
      const inOrder = round % 2 === 0 ? [...clients.entries()] : [...clients.entries()].toReversed();
      for (const [index, client] of inOrder) {
        const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
        backends[index]?.add(rows[0]?.pid ?? 0);
      }
    }
    const isOneEach = backends.every(({ size }) => size === 1);
    const areDifferent = new Set(backends.flatMap((pids) => [...pids])).size === clients.length;
    if (!isOneEach || !areDifferent) throw new DatabaseStartError(REFUSAL);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}
