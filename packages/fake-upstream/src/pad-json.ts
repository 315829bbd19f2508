const bytesPerMegabyte = 1_048_576;

/** Makes the JSON of an object `megabytes` MiB longer; it stays valid. `obfuscation` is OpenAI's own padding. */
export function padJson(json: string, megabytes: number): string {
  return `${json.slice(0, -1)},"obfuscation":"${"x".repeat(megabytes * bytesPerMegabyte)}"}`;
}
