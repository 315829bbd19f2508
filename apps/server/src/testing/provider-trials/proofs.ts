import { it } from "node:test";

export const DIALECTS = ["chat", "responses", "messages", "gemini"] as const;
export type Dialect = (typeof DIALECTS)[number];

export const ASKED_BY_EVERY_API = ["text", "stream", "tools", "images"] as const;

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

/**
 * Abilities that a provider may lack: limits, tools, images, several pieces of an answer, billing of output,
 * and a model list.
 */
export type Ability = "limit" | "tools" | "pictures" | "pieces" | "billing" | "list";

/** Capabilities that require an ability. */
const NEEDS: Readonly<Partial<Record<Ability, RegExp>>> = {
  limit: /^limit$/,
  tools: /\.tools$/,
  pictures: /\.images$/,
  pieces: /^(?:abort|cut)$/,
  list: /^models$/,
};

export class Proofs {
  readonly #shown = new Map<number, Set<Capability>>();
  #promised = 0;
  #kept = 0;

  /** Returns a function that registers a test of a capability, unless the provider lacks the required ability. */
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

  get areWhole(): boolean {
    return this.#kept === this.#promised;
  }

  has(type: number, capability: Capability): boolean {
    return this.#shown.get(type)?.has(capability) ?? false;
  }
}
