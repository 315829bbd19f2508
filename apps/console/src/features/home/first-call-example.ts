/** A first call to copy, for the gateway at that address. */
export function firstCallExample(server: string): string {
  return [
    `curl ${server}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer sk-YOUR-TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "gpt-4o-mini",`,
    `       "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join("\n");
}
