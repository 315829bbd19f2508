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

const WELL_KNOWN_MODEL = "gpt-4o-mini";

/** A model for examples: a well-known one if it can be called, else the first that can. */
export function exampleModel(callable: readonly string[]): string {
  return callable.includes(WELL_KNOWN_MODEL) ? WELL_KNOWN_MODEL : (callable[0] ?? WELL_KNOWN_MODEL);
}
