import { envelopeSchema } from "@one-api/contract/envelope";

/** Makes calls of the control API as one logged-in user, outside of the browser. */
export interface GatewayClient {
  get(path: string): Promise<unknown>;
  send(method: "POST" | "PUT", path: string, body: unknown): Promise<unknown>;
}

/** Logs in and returns the client. Every call throws with the server's message when it is refused. */
export async function logInToGateway(url: string, username = "root", password = "123456"): Promise<GatewayClient> {
  const login = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const make = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = envelopeSchema.parse(await answer.json());
    if (!envelope.success) throw new Error(`${method} ${path} was refused: ${envelope.message}`);
    return envelope.data;
  };
  return { get: (path) => make("GET", path), send: make };
}
