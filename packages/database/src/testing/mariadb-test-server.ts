import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync } from "node:fs";
import { Socket } from "node:net";
import path from "node:path";
import { createConnection } from "mysql2/promise";
import { findMariadb } from "../../../../scripts/lib/find-programs.mjs";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const MISSING = "MariaDB's server programs were not found. Install them (Debian: apt-get install mariadb-server).";

/**
 * Shell that owns the server, which listens on a socket in its own folder only. The shell stops it when its input closes. The kernel closes the input at the
 * end of the starting process, also after kill -9.
 */
const GUARD = `
install=$1; server=$2; folder=$3
fail() { cat "$1" >&2; rm -rf "$folder"; exit 1; }
"$install" --no-defaults --datadir="$folder/data" --auth-root-authentication-method=normal --skip-test-db >"$folder/made.log" 2>&1 </dev/null || fail "$folder/made.log"
"$server" --no-defaults --datadir="$folder/data" --socket="$folder/socket" --pid-file="$folder/pid" --skip-networking --skip-log-bin \\
  --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 --innodb-buffer-pool-size=128M --lower-case-table-names=0 >"$folder/server.log" 2>&1 </dev/null &
process=$!
tries=0
while [ ! -S "$folder/socket" ]; do
  kill -0 "$process" 2>/dev/null || fail "$folder/server.log"
  tries=$((tries + 1)); [ "$tries" -gt 600 ] && fail "$folder/server.log"
  sleep 0.1
done
echo ready
read -r _
kill "$process"
wait "$process"
rm -rf "$folder"
`;

/** Returns why tests cannot use MariaDB here; undefined if they can. */
export function mariadbMissing(): string | undefined {
  return findMariadb() === undefined ? MISSING : undefined;
}

let socketOfServer: Promise<string> | undefined;

/** A database on the test server. */
export interface MariadbDatabase {
  /** Address for a user that may only read it. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Runs statements as the administrator. */
  execute(statements: readonly string[]): Promise<void>;
}

/** Makes an empty database and its user, on a private server that lives as long as this process. */
export async function createMariadbDatabase(): Promise<MariadbDatabase> {
  socketOfServer ??= startServer();
  const socketPath = await socketOfServer;
  const name = `old_${randomBytes(6).toString("hex")}`;
  // Characters that an address encodes.
  const password = `p@ss:/#%${randomBytes(6).toString("hex")}`;
  const execute = async (statements: readonly string[], database = name) => {
    const connection = await createConnection({ user: "root", socketPath, database, charset: "utf8mb4" });
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  };
  const user = `reader_${name}`;
  await execute(
    [
      `create database ${name} character set utf8mb4`,
      `create user '${user}'@'localhost' identified by '${password}'`,
      `grant select on ${name}.* to '${user}'@'localhost'`,
    ],
    "mysql",
  );
  const url = `mysql://${user}:${encodeURIComponent(password)}@localhost/${name}?socket=${encodeURIComponent(socketPath)}`;
  return { url, user, password, execute };
}

async function startServer(): Promise<string> {
  const programs = findMariadb();
  if (programs === undefined) throw new Error(MISSING);
  const folder = makeTemporaryFolder("one-api-mariadb-");
  const owner = serverOwner();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const guard = spawn("sh", ["-c", GUARD, "guard", programs.install, programs.server, folder], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: "pipe",
  });
  await new Promise<void>((resolve, reject) => {
    let complaint = "";
    guard.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    guard.stdout.once("data", () => resolve());
    guard.once("error", reject);
    guard.once("exit", () => reject(new Error(`MariaDB did not start:\n${complaint}`)));
  });
  guard.unref();
  for (const stream of guard.stdio) if (stream instanceof Socket) stream.unref();
  return path.join(folder, "socket");
}

/** MariaDB refuses to run as root. */
function serverOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync("id", [option, "mysql"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
