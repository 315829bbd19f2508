/** The password of the benchmark's own root; its gateway lives in a temporary folder. */
export const BENCH_PASSWORD = "bench-password";

/** Sets up a fresh gateway through its API: one channel to the upstream and one unlimited key, which it returns. */
export async function prepareGateway(url: string, upstream: string, models: string): Promise<string> {
  const login = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "root", password: BENCH_PASSWORD }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    const json: unknown = await answer.json();
    if (!isGood(json)) throw new Error(`${path} was refused: ${JSON.stringify(json)}`);
    return json.data;
  };
  await post("/api/channel/", { type: 1, name: "bench", key: "sk-bench", base_url: upstream, models });
  const token = await post("/api/token/", {
    name: "bench",
    unlimited_quota: true,
    rpm_limit: 0,
    tpm_limit: 0,
    dpm_limit: 0,
  });
  if (typeof token !== "object" || token === null || !("key" in token)) throw new Error("The gateway answered no key.");
  return `sk-${String(token.key)}`;
}

function isGood(json: unknown): json is { success: true; data?: unknown } {
  return typeof json === "object" && json !== null && "success" in json && json.success === true;
}
