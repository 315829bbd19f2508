import { it } from "node:test";

/** The APIs by which models are asked. */
export const DIALECTS = ["chat", "responses", "messages", "gemini"] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What every provider is tried for by every API. */
export const ASKED_BY_EVERY_API = ["text", "stream", "tools", "images"] as const;

/** What a test can show of a provider. */
export type Capability =
  | `${Dialect}.${(typeof ASKED_BY_EVERY_API)[number]}`
  | "completions"
  | "limit"
  | "errors"
  | "abort"
  | "cut"
  | "byte-by-byte"
  | "no-usage"
  | "embeddings"
  | "painting"
  | "sessions"
  | "batches"
  | "models";

/** Keeping to a limit, calling tools, seeing pictures, answering in more than one piece, billing what it writes, counting it, listing its models. */
export type Ability = "limit" | "tools" | "pictures" | "pieces" | "billing" | "list";

/** What can only be shown of a provider that is able to do it. */
const NEEDS: Readonly<Partial<Record<Ability, RegExp>>> = {
  limit: /^limit$/,
  tools: /\.tools$/,
  pictures: /\.images$/,
  pieces: /^(?:abort|cut)$/,
  list: /^models$/,
};

/** What tests have shown of each provider, by channel type. */
export class Proofs {
  readonly #shown = new Map<number, Set<Capability>>();
  #promised = 0;
  #kept = 0;

  /** Returns what registers a test that shows something of the provider if it passes; there is none for what it lacks. */
  testsOf({ type, lacks = [] }: { readonly type: number; readonly lacks?: readonly Ability[] }) {
    return (capability: Capability, title: string, run: () => Promise<void>): void => {
      if (lacks.some((ability) => NEEDS[ability]?.test(capability))) return;
      this.#promised += 1;
      it(title, async () => {
        await run();
        const shown = this.#shown.get(type) ?? new Set();
        this.#shown.set(type, shown.add(capability));
        this.#kept += 1;
      });
    };
  }

  /** Every registered test has run and passed. */
  get areWhole(): boolean {
    return this.#kept === this.#promised;
  }

  has(type: number, capability: Capability): boolean {
    return this.#shown.get(type)?.has(capability) ?? false;
  }
}
