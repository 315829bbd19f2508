import { execFileSync, spawn } from "node:child_process";
import { chownSync, readFileSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** A private PostgreSQL server. */
export interface PostgresCluster {
  /** Address of its database `postgres`, for an administrator. */
  readonly adminUrl: string;
  /** Kills the server with -9, as a machine that loses power. Its files stay until `stop`. */
  kill(): void;
  /** Stops it and removes its files; the end of this process does the same, however it ends. */
  stop(): Promise<void>;
}

/**
 * The shell that owns the server: it starts it, says so, and stops it when its input closes, which the kernel does when the process
 * that started it ends, also by kill -9. The server listens on a socket in its own folder only.
 */
const GUARD = `
programs=$1; folder=$2; settings=$3; primary=$4
fail() { cat "$1" >&2; rm -rf "$folder"; exit 1; }
if [ -z "$primary" ]; then
  "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale --no-sync
else
  "$programs/pg_basebackup" -D "$folder/data" -d "$primary" -R -X stream -c fast --no-sync
fi >"$folder/made.log" 2>&1 || fail "$folder/made.log"
"$programs/pg_ctl" -D "$folder/data" -w -t 60 -l "$folder/server.log" start </dev/null >/dev/null 2>&1 \
  -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c max_connections=200 -c shared_buffers=64MB -c max_wal_size=256MB $settings" \
  || fail "$folder/server.log"
server=$(head -n 1 "$folder/data/postmaster.pid")
echo ready
read -r _
[ -e "$folder/data/postmaster.pid" ] && kill -INT "$server"
tries=0
while [ -e "$folder/data/postmaster.pid" ] && [ "$tries" -lt 100 ]; do tries=$((tries + 1)); sleep 0.1; done
[ -e "$folder/data/postmaster.pid" ] && kill -QUIT "$server"
rm -rf "$folder"
`;

/** Settings of a server whose databases live for seconds: nothing in them is worth a clean-up, a compiled statement or a replica. */
export const SHORT_LIVED = {
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  autovacuum: "off",
  jit: "off",
};

/**
 * Makes and starts a server with the programs in this folder, with settings beside PostgreSQL's own; under root as the user `postgres`, since
 * PostgreSQL refuses root. With the address of a primary it is that server's streaming standby.
 */
export async function startPostgresCluster(
  programs: string,
  settings: Readonly<Record<string, string>> = {},
  primaryUrl = "",
): Promise<PostgresCluster> {
  const folder = makeTemporaryFolder("one-api-postgres-");
  const owner = serverOwner();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const guard = spawn("sh", ["-c", GUARD, "guard", programs, folder, options.join(" "), primaryUrl], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: "pipe",
  });
  const exited = new Promise<void>((resolve) => guard.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let complaint = "";
    guard.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    guard.stdout.once("data", () => resolve());
    guard.once("error", reject);
    guard.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${complaint}`)));
  });
  guard.unref();
  for (const stream of guard.stdio) if (stream instanceof Socket) stream.unref();
  return {
    adminUrl: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    kill: () => {
      const pidFile = path.join(folder, "data", "postmaster.pid");
      process.kill(Number.parseInt(readFileSync(pidFile, "utf8"), 10), "SIGKILL");
      // Its backends end by themselves. Nobody shall take another process for this server.
      rmSync(pidFile);
    },
    stop: () => {
      guard.ref();
      guard.stdin.end();
      return exited;
    },
  };
}

function serverOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Returns the address of another database on the same server. */
export function withDatabaseName(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${path.posix.basename(name)}`;
  return url.href;
}
