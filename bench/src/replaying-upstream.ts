import { connect, createServer, type Socket } from "node:net";
import { parseArgs } from "node:util";

// Replays the stub provider's first answer to each request. It takes a fifth of the stub's CPU, whose core it shares
// with load and database.
const { values } = parseArgs({ options: { stub: { type: "string" } } });
const stub = new URL(values.stub ?? "");
/** An answer counts as complete after this time without data, in ms. */
const WHOLE_AFTER_MS = 200;
const END_OF_HEAD = "\r\n\r\n";
const REFUSAL = `HTTP/1.1 411 Length Required\r\nContent-Length: 0${END_OF_HEAD}`;

/** By the request's first line and its body; callers' keys are in neither. */
const answers = new Map<string, Buffer | Promise<Buffer>>();

function ask(request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const connection = connect(Number(stub.port), stub.hostname, () => connection.write(request, "latin1"));
    connection.on("error", reject);
    let whole: NodeJS.Timeout | undefined;
    connection.on("data", (part) => {
      parts.push(part);
      clearTimeout(whole);
      whole = setTimeout(() => {
        connection.destroy();
        resolve(Buffer.concat(parts));
      }, WHOLE_AFTER_MS);
    });
  });
}

function serve(connection: Socket): void {
  connection.setNoDelay();
  connection.on("error", () => connection.destroy());
  let waiting = "";
  connection.on("data", (part) => {
    waiting += part.toString("latin1");
    for (;;) {
      const headLength = waiting.indexOf(END_OF_HEAD);
      if (headLength < 0) return;
      const head = waiting.slice(0, headLength);
      const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (bodyLength === undefined) return void connection.end(REFUSAL);
      const bodyStart = headLength + END_OF_HEAD.length;
      const end = bodyStart + Number(bodyLength);
      if (waiting.length < end) return;
      const key = waiting.slice(0, waiting.indexOf("\r\n")) + waiting.slice(bodyStart, end);
      answer(connection, key, waiting.slice(0, end));
      waiting = waiting.slice(end);
    }
  });
}

function answer(connection: Socket, key: string, request: string): void {
  let found = answers.get(key);
  if (found === undefined) answers.set(key, (found = ask(request)));
  if (!(found instanceof Promise)) return void connection.write(found);
  void found.then((bytes) => {
    answers.set(key, bytes);
    connection.write(bytes);
  });
}

const server = createServer(serve).listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
