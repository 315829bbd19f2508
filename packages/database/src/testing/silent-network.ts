import { once } from "node:events";
import net from "node:net";
import { sql } from "kysely";
import type { OpenDatabase } from "../open-database.ts";

/** The address of the database that is open, from the server itself. */
export async function adminOf(database: OpenDatabase): Promise<URL> {
  const { rows } = await sql<{ name: string; folder: string; port: string }>`
    select current_database() as name, current_setting('unix_socket_directories') as folder, current_setting('port') as port`.execute(
    database.db,
  );
  const row = rows[0];
  return new URL(
    `postgres://postgres@localhost:${row?.port}/${row?.name}?host=${encodeURIComponent(row?.folder ?? "")}`,
  );
}

/** A network to the database that can lose the connections there are without telling anybody, as a firewall does; new ones work. `port`: a free one by default. */
export async function startSilentNetwork(admin: URL, databaseUrl: string, port = 0) {
  const socketPath = `${admin.searchParams.get("host")}/.s.PGSQL.${admin.port}`;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(socketPath);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("data", (bytes) => other.write(bytes));
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : 0);
  return {
    databaseUrl: url.href,
    silence: () => open.forEach((socket) => socket.removeAllListeners("data").resume()),
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
