import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { Agent } from "undici";

// The yardstick: a proxy that only passes bytes on, with Node's HTTP server and undici, and keeps no accounts.
const { values } = parseArgs({ options: { upstream: { type: "string" } } });
const origin = values.upstream ?? "";
const agent = new Agent({ keepAliveTimeout: 60_000 });

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    agent.dispatch(
      {
        origin,
        path: request.url ?? "/",
        method: "POST",
        headers: { "content-type": "application/json", authorization: request.headers.authorization ?? "" },
        body: Buffer.concat(parts),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          for (const name of ["content-type", "content-length"]) {
            const value = headers[name];
            if (value !== undefined) response.setHeader(name, value);
          }
          response.writeHead(status);
        },
        onResponseData(controller, chunk) {
          if (response.write(chunk)) return;
          controller.pause();
          response.once("drain", () => controller.resume());
        },
        onResponseEnd() {
          response.end();
        },
        onResponseError() {
          response.destroy();
        },
      },
    );
  });
});

server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
