import type { RecipeId } from "../../apps/console/src/features/recipes/recipes.ts";

/** A command line that `npm run clients` installs and tries. */
export interface Client {
  readonly recipe: RecipeId;
  /** npm package; always its newest version. */
  readonly package: string;
  /** The command of the recipe's last line. */
  readonly command: string;
  /** Arguments that make it answer one prompt and end. */
  headless(prompt: string): readonly string[];
  /** Settings in its home beside the recipe: they answer questions of its first start, or switch off what needs the internet. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables beside the recipe. */
  readonly environment?: Readonly<Record<string, string>>;
}

const asPrompt = (prompt: string) => ["-p", prompt];

/** Cherry Studio, LobeChat and Open WebUI have no command line; neither have the editor extensions of Continue, Cline and Copilot. */
export const CLIENTS: readonly Client[] = [
  { recipe: "claude-code", package: "@anthropic-ai/claude-code", command: "claude", headless: asPrompt },
  {
    recipe: "codex",
    package: "@openai/codex",
    command: "codex",
    headless: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  },
  {
    recipe: "gemini-cli",
    package: "@google/gemini-cli",
    command: "gemini",
    headless: (prompt) => ["--skip-trust", "-p", prompt],
    files: { ".gemini/settings.json": '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }' },
  },
  { recipe: "opencode", package: "opencode-ai", command: "opencode", headless: (prompt) => ["run", prompt] },
  { recipe: "qwen-code", package: "@qwen-code/qwen-code", command: "qwen", headless: (prompt) => [prompt] },
  { recipe: "continue", package: "@continuedev/cli", command: "cn", headless: asPrompt },
  { recipe: "pi", package: "@earendil-works/pi-coding-agent", command: "pi", headless: asPrompt },
  {
    recipe: "cline",
    package: "cline",
    command: "cline",
    headless: (prompt) => [prompt],
    // Without reachable telemetry it waits 10 s at its start and 10 s at its end.
    files: { ".cline/data/settings/global-settings.json": '{ "telemetryOptOut": true }' },
    // Else it leaves a server behind, outside of its process group, and uses the one that runs already: that of another home.
    environment: { CLINE_SESSION_BACKEND_MODE: "local" },
  },
  { recipe: "copilot-cli", package: "@github/copilot", command: "copilot", headless: asPrompt },
];
