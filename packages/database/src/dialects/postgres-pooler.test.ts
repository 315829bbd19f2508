import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { it } from "node:test";
import { DatabaseStartError } from "../database-errors.ts";
import { refuseTransactionPooler } from "./postgres-pooler.ts";

/** A message of PostgreSQL's protocol (postgresql.org/docs/current/protocol-message-formats.html). */
function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

const READY = message("Z", Buffer.from("I"));
const INT4_COLUMN = [int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)];

function answerOf(pid: number): Buffer {
  const text = Buffer.from(String(pid));
  return Buffer.concat([
    message("T", int16(1), Buffer.from("pid\0"), ...INT4_COLUMN),
    message("D", int16(1), int32(text.length), text),
    message("C", Buffer.from("SELECT 1\0")),
    READY,
  ]);
}

/** A server that answers each question with the process id of a backend. `pidOf`: by connection and question, both from 0. */
async function startPooler(pidOf: (connection: number, question: number) => number) {
  let [connections, questions] = [0, 0];
  const server = net.createServer((socket) => {
    const connection = connections++;
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", int32(0)), READY]));
      socket.on("data", (bytes) => {
        if (bytes.toString("latin1", 0, 1) === "Q") socket.write(answerOf(pidOf(connection, questions++)));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { connection: { host: "127.0.0.1", port, user: "one", database: "one" }, close: () => server.close() };
}

for (const [what, pidOf] of [
  ["one backend for all connections", () => 7],
  ["backends in turn", (_connection: number, question: number) => question % 2],
  ["a new backend each time", (_connection: number, question: number) => question],
] as const) {
  it(`refuses a pooler that has ${what}, and says what to set`, async (context) => {
    const pooler = await startPooler(pidOf);
    context.after(() => pooler.close());
    await assert.rejects(
      refuseTransactionPooler(pooler.connection),
      (error) => error instanceof DatabaseStartError && /PgBouncer.*pool_mode = session/.test(error.message),
    );
  });
}

it("takes a backend for each connection: PostgreSQL itself, or a pooler by sessions", async (context) => {
  const pooler = await startPooler((connection) => connection + 1);
  context.after(() => pooler.close());
  await refuseTransactionPooler(pooler.connection);
});
