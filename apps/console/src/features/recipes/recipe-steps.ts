import type { ChatModel } from "@one-api/contract/playground";
import { KEY_VARIABLE, shellQuoted } from "../../lib/values/call-example.ts";

export interface RecipeParts {
  /** Of this gateway, without a path. */
  readonly address: string;
  /** With its prefix. */
  readonly key: string;
  readonly model: ChatModel;
  readonly greeting: string;
}

/** Target of a paste: a file, or a field with a translated name. */
export type RecipePlace = { readonly file: string } | { readonly field: RecipeField };
type RecipeField = "install" | "terminal" | "program" | "address" | "key" | "model" | "environment";

export interface RecipeStep {
  readonly place: RecipePlace;
  readonly code: string;
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  readonly group: "agents" | "apps" | "libraries";
  /** Beginning of the names of the models that the client was made for. */
  readonly family?: string;
  steps(parts: RecipeParts): readonly RecipeStep[];
}

export const terminal = (...lines: readonly string[]): RecipeStep => ({
  place: { field: "terminal" },
  code: lines.join("\n"),
});
/** One line that installs a client from npm and starts it. */
export const install = (
  packageName: string,
  variables: Readonly<Record<string, string>>,
  command: string,
): RecipeStep => ({
  place: { field: "install" },
  code: [
    `npm install -g ${packageName} &&`,
    ...(Object.keys(variables).length === 0 ? [] : ["env"]),
    ...Object.entries(variables).map(([name, value]) => `${name}=${shellQuoted(value)}`),
    command,
  ].join(" "),
});
export const program = (code: string): RecipeStep => ({ place: { field: "program" }, code });
export const field = (name: RecipeField, code: string): RecipeStep => ({ place: { field: name }, code });
export const file = (name: string, code: string): RecipeStep => ({ place: { file: name }, code });
export const json = (value: object) => JSON.stringify(value, undefined, 2);
/** A text of TOML, YAML, Python and TypeScript alike. */
export const quoted = (text: string) => JSON.stringify(text);
export const exportLines = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).map(([name, value]) => `export ${name}=${shellQuoted(value)}`);
export const giveKey = ({ key }: RecipeParts) => exportLines({ [KEY_VARIABLE]: key });
