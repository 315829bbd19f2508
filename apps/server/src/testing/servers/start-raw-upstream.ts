import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A provider whose answers a test writes byte for byte. */
export interface RawUpstream {
  readonly url: string;
  close(): Promise<void>;
}

export async function startRawUpstream(answer: (response: ServerResponse) => void): Promise<RawUpstream> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
