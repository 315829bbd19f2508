/** What a first call is made of. */
export interface CallExample {
  /** Base address of the relay, with `/v1`. */
  address: string;
  model: string;
  prompt: string;
  /** With its prefix, or what stands in for it. */
  key: string;
}

/** A quoted text as a POSIX shell takes it, whatever is in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A first chat completion as a curl command that works as pasted. */
export function curlExample({ address, model, prompt, key }: CallExample): string {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: prompt }] });
  return [
    `curl ${address}/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellQuoted(body)}`,
  ].join("\n");
}

/** Where the key of a call comes from, so that none ends up in a file or in a shell's history. */
export const KEY_VARIABLE = "ONE_API_KEY";

/**
 * A call as a curl command that works as pasted, given the key in the environment. `address` is the gateway's, without a path. The body goes in as it
 * stands, whatever is in it and however long it is: a shell changes nothing between these marks.
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
