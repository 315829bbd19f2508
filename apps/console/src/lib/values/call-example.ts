export interface CallExample {
  /** Base address of the relay, with `/v1`. */
  address: string;
  model: string;
  prompt: string;
  /** With its prefix, or a placeholder. */
  key: string;
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A first chat completion as a curl command that works as pasted. */
export function curlExample({ address, model, prompt, key }: CallExample): string {
  const body = `{
    "model": ${JSON.stringify(model)},
    "messages": [{"role": "user", "content": ${JSON.stringify(prompt)}}]
  }`;
  return [
    `curl ${address}/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellQuoted(body)}`,
  ].join("\n");
}

/** Variable with the key, so that none is written to a file or the shell's history. */
export const KEY_VARIABLE = "ONE_API_KEY";

/**
 * Returns a curl command that works as pasted, with the key in the environment. `address` is the gateway's, without a
 * path. The quoted heredoc passes any body unchanged.
 */
export function curlCall(address: string, path: string, body: object): string {
  return `curl ${shellQuoted(address + path)} \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H "Content-Type: application/json" \\
  --data-binary @- <<'JSON'
${JSON.stringify(body, undefined, 2)}
JSON`;
}

const WELL_KNOWN_MODEL = "gpt-4o-mini";

/** A model for examples: a well-known one if it can be called, else the first that can. */
export function exampleModel(callable: readonly string[]): string {
  return callable.includes(WELL_KNOWN_MODEL) ? WELL_KNOWN_MODEL : (callable[0] ?? WELL_KNOWN_MODEL);
}
