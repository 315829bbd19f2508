import type { ConnectionOptions } from "mysql2/promise";
import { DatabaseStartError } from "../database-errors.ts";

const FORM =
  "Write it as mysql://user:password@host:3306/database. In user and password, write @ as %40, : as %3A, / as %2F, # as %23 and % as %25.";

/** `ssl-mode` of an address: encrypted with any certificate, or with a valid one. */
const SSL_MODES: ReadonlyMap<string, ConnectionOptions["ssl"]> = new Map([
  ["DISABLED", undefined],
  ["REQUIRED", { rejectUnauthorized: false }],
  ["VERIFY_IDENTITY", { rejectUnauthorized: true, verifyIdentity: true }],
]);

export interface MysqlAddress {
  readonly shown: string;
  readonly options: ConnectionOptions;
}

/** Reads `mysql://user:password@host:port/database?socket=…&ssl-mode=…`. Throws DatabaseStartError without any part of a wrong address. */
export function readMysqlAddress(address: string): MysqlAddress {
  if (!URL.canParse(address)) throw new DatabaseStartError(`The address of MySQL cannot be read. ${FORM}`);
  const { protocol, username, password, hostname, port, host, pathname, searchParams } = new URL(address);
  const [user, database] = [decode(username), decode(pathname.slice(1))];
  if (database === "" || database.includes("/"))
    throw new DatabaseStartError(`The address of MySQL names no database. ${FORM}`);
  const socket = searchParams.get("socket");
  if (hostname === "" && socket === null) throw new DatabaseStartError(`The address of MySQL names no host. ${FORM}`);
  const unknown = [...searchParams.keys()].find((name) => name !== "socket" && name !== "ssl-mode");
  if (unknown !== undefined)
    throw new DatabaseStartError("The address of MySQL may have only the parameters socket and ssl-mode.");
  const mode = searchParams.get("ssl-mode") ?? "DISABLED";
  const ssl = SSL_MODES.get(mode);
  if (!SSL_MODES.has(mode))
    throw new DatabaseStartError(`ssl-mode in the address of MySQL must be ${[...SSL_MODES.keys()].join(", ")}.`);
  return {
    shown: `${protocol}//${username === "" ? "" : `${username}@`}${socket ?? host}/${database}`,
    options: {
      user,
      password: decode(password),
      database,
      ...(socket === null
        ? { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 3306 : Number(port) }
        : { socketPath: socket }),
      ...(ssl === undefined ? {} : { ssl }),
    },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DatabaseStartError(`The address of MySQL has a % that stands for nothing. ${FORM}`);
  }
}
