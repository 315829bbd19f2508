import { exampleModel, KEY_VARIABLE, shellQuoted } from "../../lib/values/call-example.ts";
import { type CodeKind, writeCode } from "../playground/code/write-code.ts";
import {
  claudeCode,
  cline,
  codex,
  continueDev,
  copilotCli,
  cursor,
  geminiCli,
  openCode,
  pi,
  qwenCode,
} from "./agent-recipes.ts";
import {
  field,
  giveKey,
  program,
  quoted,
  type Recipe,
  type RecipeParts,
  type RecipeStep,
  terminal,
} from "./recipe-steps.ts";

function firstCall(kind: CodeKind, { address, model, greeting }: RecipeParts): string {
  const question = { role: "user", id: "first", text: greeting, images: [] } as const;
  return writeCode(kind, { model, options: {}, system: "", tools: [], turns: [question] }, address);
}

/** Source: https://docs.cherry-ai.com */
function cherryStudio({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  return [field("key", key), field("address", address), field("model", model)];
}

/** Source: https://lobehub.com/docs/self-hosting/environment-variables/model-provider */
function lobeChat({ address, key, model: { model } }: RecipeParts): readonly RecipeStep[] {
  const base = `${address}/v1`;
  const environment = [`OPENAI_API_KEY=${key}`, `OPENAI_PROXY_URL=${base}`, `OPENAI_MODEL_LIST=-all,+${model}`];
  return [
    field("key", key),
    field("address", base),
    field("model", model),
    field("environment", environment.join("\n")),
  ];
}

/** True where the gateway is on the reader's own machine, which is another one inside of a container. */
const isThisMachine = (address: string) => /^(?:localhost|127\..*|\[::1\])$/.test(URL.parse(address)?.hostname ?? "");

/** Both ways to start it end at port 8080. Source: https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai/ */
function openWebUi({ address, key }: RecipeParts): readonly RecipeStep[] {
  const base = `${address}/v1`;
  const start = [
    `docker run -d ${isThisMachine(address) ? "--network=host" : "-p 8080:8080"} \\`,
    `  -e OPENAI_API_BASE_URL=${shellQuoted(base)} \\`,
    `  -e OPENAI_API_KEY=${shellQuoted(key)} \\`,
    "  -v open-webui:/app/backend/data \\",
    "  --name open-webui ghcr.io/open-webui/open-webui:main",
  ];
  return [field("address", base), field("key", key), terminal(...start)];
}

function python(parts: RecipeParts): readonly RecipeStep[] {
  return [terminal("pip install openai", ...giveKey(parts)), program(firstCall("python", parts))];
}

/** Source: https://googleapis.github.io/js-genai */
function googleGenAi(parts: RecipeParts): readonly RecipeStep[] {
  const code = `import { GoogleGenAI } from "@google/genai";

const google = new GoogleGenAI({
  apiKey: process.env.${KEY_VARIABLE},
  httpOptions: { baseUrl: ${quoted(parts.address)} },
});
const answer = await google.models.generateContent({
  model: ${quoted(parts.model.model)},
  contents: ${quoted(parts.greeting)},
});
console.log(answer.text);`;
  return [terminal("npm install @google/genai", ...giveKey(parts)), program(code)];
}

/** Source: https://reference.langchain.com/python/integrations/langchain_openai/ChatOpenAI */
function langChainPython(parts: RecipeParts): readonly RecipeStep[] {
  const code = `import os
from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${quoted(parts.model.model)},
    base_url=${quoted(`${parts.address}/v1`)},
    api_key=os.environ["${KEY_VARIABLE}"],
)
print(model.invoke(${quoted(parts.greeting)}).content)`;
  return [terminal("pip install langchain-openai", ...giveKey(parts)), program(code)];
}

/** Source: https://docs.langchain.com/oss/javascript/integrations/chat/openai */
function langChainJs(parts: RecipeParts): readonly RecipeStep[] {
  const code = `import { ChatOpenAI } from "@langchain/openai";

const model = new ChatOpenAI({
  model: ${quoted(parts.model.model)},
  apiKey: process.env.${KEY_VARIABLE},
  configuration: { baseURL: ${quoted(`${parts.address}/v1`)} },
});
const answer = await model.invoke(${quoted(parts.greeting)});
console.log(answer.content);`;
  return [terminal("npm install @langchain/openai @langchain/core", ...giveKey(parts)), program(code)];
}

/** Source: https://ai-sdk.dev/providers/ai-sdk-providers/openai */
function aiSdk(parts: RecipeParts): readonly RecipeStep[] {
  const code = `import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";

const oneApi = createOpenAI({
  baseURL: ${quoted(`${parts.address}/v1`)},
  apiKey: process.env.${KEY_VARIABLE},
});
const { text } = await generateText({
  model: oneApi.chat(${quoted(parts.model.model)}),
  prompt: ${quoted(parts.greeting)},
});
console.log(text);`;
  return [terminal("npm install ai @ai-sdk/openai", ...giveKey(parts)), program(code)];
}

/** A library whose first call the playground writes. */
const asInPlayground = (kind: CodeKind, install: string) => (parts: RecipeParts) => [
  terminal(`npm install ${install}`, ...giveKey(parts)),
  program(firstCall(kind, parts)),
];

/** Recipe of each client. `docs/recipes.md` says how each was tested. */
export const RECIPES = [
  { id: "claude-code", name: "Claude Code", group: "agents", family: "claude-", steps: claudeCode },
  { id: "codex", name: "Codex CLI", group: "agents", steps: codex },
  { id: "cursor", name: "Cursor", group: "agents", steps: cursor },
  { id: "gemini-cli", name: "Gemini CLI", group: "agents", family: "gemini-", steps: geminiCli },
  { id: "opencode", name: "opencode", group: "agents", steps: openCode },
  { id: "qwen-code", name: "Qwen Code", group: "agents", family: "qwen", steps: qwenCode },
  { id: "continue", name: "Continue", group: "agents", steps: continueDev },
  { id: "pi", name: "pi", group: "agents", steps: pi },
  { id: "cline", name: "Cline", group: "agents", steps: cline },
  { id: "copilot-cli", name: "Copilot CLI", group: "agents", steps: copilotCli },
  { id: "cherry-studio", name: "Cherry Studio", group: "apps", steps: cherryStudio },
  { id: "lobe-chat", name: "LobeChat", group: "apps", steps: lobeChat },
  { id: "open-webui", name: "Open WebUI", group: "apps", steps: openWebUi },
  {
    id: "curl",
    name: "curl",
    group: "libraries",
    steps: (parts) => [terminal(...giveKey(parts), firstCall("curl", parts))],
  },
  { id: "python", name: "Python", group: "libraries", steps: python },
  { id: "typescript", name: "TypeScript", group: "libraries", steps: asInPlayground("typescript", "openai") },
  {
    id: "anthropic",
    name: "Anthropic SDK",
    group: "libraries",
    family: "claude-",
    steps: asInPlayground("anthropic", "@anthropic-ai/sdk"),
  },
  { id: "google", name: "Google Gen AI", group: "libraries", family: "gemini-", steps: googleGenAi },
  { id: "langchain-python", name: "LangChain (Python)", group: "libraries", steps: langChainPython },
  { id: "langchain-js", name: "LangChain (JS)", group: "libraries", steps: langChainJs },
  { id: "ai-sdk", name: "Vercel AI SDK", group: "libraries", steps: aiSdk },
] as const satisfies readonly Recipe[];

/** The model of the client's own family whose name comes last, which is mostly the newest; else a well-known one. */
export function modelFor({ family }: Recipe, callable: readonly string[]): string {
  const own = family === undefined ? [] : callable.filter((model) => model.startsWith(family));
  return own.toSorted().at(-1) ?? exampleModel(callable);
}

export type RecipeId = (typeof RECIPES)[number]["id"];
