/** The fields that every chunk and document of one completion share. */
export interface CompletionHead {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
}

/** The head for a completion that begins now; `created` is in seconds. */
export function completionHead(id: string, object: string, model: string, seed: number): CompletionHead {
  const created = Math.floor(Date.now() / 1_000);
  return { id, object, created, model, system_fingerprint: `fp_fake${seed}` };
}

/** Writes chunks with the same head; each takes the JSON of its choices and, where it was asked for, of its usage. */
export function chunkWriter(head: CompletionHead, withUsage: boolean): (choices: string, usage?: string) => string {
  const start = `${JSON.stringify(head).slice(0, -1)},"choices":[`;
  return (choices, usage = "null") => `${start}${choices}]${withUsage ? `,"usage":${usage}` : ""}}`;
}
