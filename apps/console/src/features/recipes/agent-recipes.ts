import { KEY_VARIABLE, shellQuoted } from "../../lib/values/call-example.ts";
import {
  exportLines,
  field,
  file,
  giveKey,
  install,
  json,
  quoted,
  type RecipeParts,
  type RecipeStep,
  terminal,
} from "./recipe-steps.ts";

/** Source: https://code.claude.com/docs/en/llm-gateway and …/model-config */
export function claudeCode({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const variables = {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    // Background tasks use the small model.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
  };
  return [
    install("@anthropic-ai/claude-code", variables, "claude"),
    terminal(...exportLines(variables), "claude"),
    file("~/.claude/settings.json", json({ env: variables })),
  ];
}

/** Cursor has neither variables nor a file for them. Source: https://docs.cursor.com/settings/api-keys */
export function cursor({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  return [field("key", key), field("address", `${address}/v1`), field("model", model)];
}

/** Source: https://developers.openai.com/codex/config-reference */
export function codex(parts: RecipeParts): readonly RecipeStep[] {
  const config = `model = ${quoted(parts.model.model)}
model_provider = "one-api"

[model_providers.one-api]
name = "One API"
base_url = ${quoted(`${parts.address}/v1`)}
env_key = "${KEY_VARIABLE}"
wire_api = "responses"`;
  const provider = `{ name = "One API", base_url = ${quoted(`${parts.address}/v1`)}, env_key = "${KEY_VARIABLE}", wire_api = "responses" }`;
  const options = {
    model: quoted(parts.model.model),
    model_provider: '"one-api"',
    "model_providers.one-api": provider,
  };
  const flags = Object.entries(options).map(([name, value]) => `-c ${shellQuoted(`${name}=${value}`)}`);
  return [
    install("@openai/codex", { [KEY_VARIABLE]: parts.key }, ["codex", ...flags].join(" ")),
    file("~/.codex/config.toml", config),
    terminal(...giveKey(parts), "codex"),
  ];
}

/** Source: https://github.com/google-gemini/gemini-cli/blob/main/docs/reference/configuration.md */
export function geminiCli({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const variables = { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model };
  return [install("@google/gemini-cli", variables, "gemini"), terminal(...exportLines(variables), "gemini")];
}

/** Source: https://opencode.ai/docs/providers (custom provider) */
export function openCode(parts: RecipeParts): readonly RecipeStep[] {
  const { address, model } = parts;
  const config = {
    $schema: "https://opencode.ai/config.json",
    provider: {
      "one-api": {
        npm: "@ai-sdk/openai-compatible",
        name: "One API",
        options: { baseURL: `${address}/v1`, apiKey: `{env:${KEY_VARIABLE}}` },
        models: { [model.model]: {} },
      },
    },
    model: `one-api/${model.model}`,
  };
  return [file("~/.config/opencode/opencode.json", json(config)), terminal(...giveKey(parts), "opencode")];
}

/** Source: https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/ */
export function qwenCode(parts: RecipeParts): readonly RecipeStep[] {
  const { address, model } = parts;
  const settings = {
    modelProviders: { openai: [{ id: model.model, baseUrl: `${address}/v1`, envKey: KEY_VARIABLE }] },
    security: { auth: { selectedType: "openai" } },
    model: { name: model.model },
  };
  return [file("~/.qwen/settings.json", json(settings)), terminal(...giveKey(parts), "qwen")];
}

/** Source: https://docs.continue.dev/reference (config.yaml) */
export function continueDev({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const config = `name: One API
version: 1.0.0
schema: v1
models:
  - name: ${quoted(model)}
    provider: openai
    model: ${quoted(model)}
    apiBase: ${quoted(`${address}/v1`)}
    apiKey: ${quoted(key)}`;
  return [file("~/.continue/config.yaml", config), terminal("cn --config ~/.continue/config.yaml")];
}

/** Source: docs/models.md of the npm package @earendil-works/pi-coding-agent */
export function pi(parts: RecipeParts): readonly RecipeStep[] {
  const { address, model } = parts;
  const provider = {
    baseUrl: `${address}/v1`,
    api: "openai-completions",
    apiKey: `$${KEY_VARIABLE}`,
    models: [{ id: model.model }],
  };
  const command = `pi --provider one-api --model ${shellQuoted(model.model)}`;
  return [
    file("~/.pi/agent/models.json", json({ providers: { "one-api": provider } })),
    terminal(...giveKey(parts), command),
  ];
}

/** Source: `cline auth --help`. Cline keeps the key in ~/.cline. */
export function cline({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const options = [`-k ${shellQuoted(key)}`, `-m ${shellQuoted(model)}`, `-b ${shellQuoted(`${address}/v1`)}`];
  const auth = `cline auth -p openai-compatible ${options.join(" ")}`;
  return [install("cline", {}, `${auth} && cline`), terminal(auth, "cline")];
}

/** Source: `copilot help providers` and `copilot help environment` */
export function copilotCli({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const variables = {
    COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
    COPILOT_PROVIDER_API_KEY: key,
    COPILOT_MODEL: model,
    // Without it, version 1.0.102 repeats its login checks where GitHub is out of reach, and sends no prompt.
    COPILOT_OFFLINE: "true",
  };
  return [install("@github/copilot", variables, "copilot"), terminal(...exportLines(variables), "copilot")];
}
