import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PlainError } from "./repository.mjs";

/** @typedef {{ name: string, exported: string, label: string, type: number }} Words */

const places = {
  types: "packages/contract/src/channels/channel-type-list.ts",
  registry: "packages/providers/src/registry.ts",
  registryTest: "packages/providers/src/registry.test.ts",
  stubs: "packages/fake-upstream/src/answers/endpoints.ts",
  trials: "apps/server/src/relay/tests/every-provider.test.ts",
};

/**
 * Adds a provider with an API of its own: its format, its line in the registry, its stub, its row in the table of tests, its entry
 * in the contract. Throws a PlainError before it has changed anything.
 * @param {string} root absolute path of the repository
 * @param {string} name what the code calls the type, in lower case with hyphens
 * @param {number} type One API's number
 * @returns {string[]} the files that were written, from the root
 */
export function addProvider(root, name, type) {
  if (!/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(name))
    throw new PlainError(`"${name}" is no name: use lower case and hyphens.`);
  const exported = name.replaceAll(/-([a-z\d])/g, (_, letter) => letter.toUpperCase());
  const words = { name, exported, label: name, type };
  const files = new Map([...newFiles(words), ...changedFiles(root, words)]);
  for (const [file, text] of files) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return [...files.keys()];

  /** @param {Words} given */
  function newFiles(given) {
    const written = Object.entries(writeFiles(given));
    const old = written.find(([file]) => existsSync(path.join(root, file)));
    if (old !== undefined) throw new PlainError(`${old[0]} is there already.`);
    return written;
  }
}

/** @param {string} root @param {Words} words @returns {[string, string][]} */
function changedFiles(root, { name, exported, label, type }) {
  const key = name === exported ? exported : `"${name}": ${exported}`;
  return [
    change(root, places.types, (text) => addToContract(text, name, type)),
    change(root, places.registry, (text) =>
      insert(
        insert(
          text,
          'import { anthropic } from "./vendors/anthropic.ts";',
          `import { ${exported} } from "./vendors/${name}.ts";\n`,
        ),
        "const others = {\n",
        `  ${key},\n`,
        "after",
      ),
    ),
    change(root, places.registryTest, (text) =>
      addType(
        addType(text, /(deepEqual\(\s*inexact\.map[\s\S]*?\[)([\d, ]+)(\])/, type),
        /(chatAddresses\.map\([^\n]*\), )([\d, ]+)(\])/,
        type,
      ),
    ),
    change(root, places.stubs, (text) =>
      insert(
        insert(text, "import { anthropicErrorBody", `import { ${exported}Api } from "./${name}.ts";\n`),
        "    anthropicApi,\n    openAiLikes,",
        `    ${exported}Api,\n`,
      ),
    ),
    change(root, places.trials, (text) =>
      insert(
        text,
        "const OWN: readonly Tried[] = [\n",
        `  { name: "${label}", type: ${type}, model: "${name}-model", obeysToolChoice: true },\n`,
        "after",
      ),
    ),
  ];
}

/** @param {string} root @param {string} file @param {(text: string) => string} edit @returns {[string, string]} */
function change(root, file, edit) {
  try {
    return [file, edit(readFileSync(path.join(root, file), "utf8"))];
  } catch (error) {
    if (error instanceof PlainError) throw new PlainError(`${file}: ${error.message}`);
    throw error;
  }
}

/** @param {string} text @param {string} mark @param {string} more @param {"before" | "after"} side */
function insert(text, mark, more, side = "before") {
  if (!text.includes(mark))
    throw new PlainError(`"${mark.trim()}" is not there any more: follow it in scripts/lib/add-provider.mjs.`);
  return text.replace(mark, () => (side === "before" ? more + mark : mark + more));
}

/** @param {string} text @param {RegExp} list @param {number} type */
function addType(text, list, type) {
  const found = list.exec(text);
  if (found === null) throw new PlainError(`${list} is not there any more: follow it in scripts/lib/add-provider.mjs.`);
  const types = [...(found[2] ?? "").split(",").map(Number), type].toSorted((a, b) => a - b);
  return text.replace(list, (_, before, __, after) => before + types.join(", ") + after);
}

/** @param {string} text @param {string} name @param {number} type */
function addToContract(text, name, type) {
  if (new RegExp(`\\btype: ${type},`).test(text)) throw new PlainError(`type ${type} is there already.`);
  const entry = `  { type: ${type}, name: "${name}", label: "${name}", colour: "gray", logo: "", baseUrl: "", needsBaseUrl: true },\n`;
  return insert(text, "] as const satisfies readonly ChannelTypeInfo[];", entry);
}

/** @param {Words} words @returns {Record<string, string>} what each new file holds */
function writeFiles({ name, exported }) {
  return {
    [`packages/providers/src/formats/${name}/${name}.ts`]: `import type { ProviderFormat, StreamDecoder, WrittenRequest } from "../../format.ts";
import type { ChatAnswer } from "../../neutral/chat-answer.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { carriesError, readError } from "../read-error.ts";

/** Source: the address of the API's documentation. */
export const ${exported}Chat: ProviderFormat = {
  name: "${name}-chat",
  readUsage: () => undefined,
  carriesError,
  readError,
  chat: { writeRequest, readAnswer, decode },
};

function writeRequest(): WrittenRequest {
  throw new UntranslatableError("messages", "${name}: writeRequest is not written yet");
}

function readAnswer(): ChatAnswer {
  throw new Error("${name}: readAnswer is not written yet");
}

function decode(): StreamDecoder {
  throw new Error("${name}: decode is not written yet");
}
`,
    [`packages/providers/src/vendors/${name}.ts`]: `import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { ${exported}Chat } from "../formats/${name}/${name}.ts";
import { modelsOfType } from "../models/models-of-type.ts";
import type { Provider, Service } from "../provider.ts";
import { bearerHeaders } from "./openai-compatible.ts";
import { unversionedUrl } from "./own-api.ts";

/** Source: the address of the API's documentation. */
export function ${exported}(type: ChannelType): Provider {
  const service: Service = {
    format: ${exported}Chat,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: unversionedUrl(type, connection, "/${name}/chat"), headers: bearerHeaders(connection) },
      body,
    }),
  };
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) => (endpoint === "chat-completions" ? service : undefined),
  };
}
`,
    [`packages/fake-upstream/src/answers/${name}.ts`]: `import { bearerKey, openAiErrorBody, RequestRefused } from "../refusal.ts";
import type { Reply } from "../reply.ts";
import type { SpokenApi } from "./spoken-api.ts";

/** Source: the address of the API's documentation. */
export const ${exported}Api: SpokenApi = {
  isSpoken: ({ path }) => path === "/${name}/chat",
  readKey: ({ authorization }) => bearerKey(authorization),
  writeError: (_status, body) => body,
  find: (method) => (method === "POST" ? chat : undefined),
};

/** POST /${name}/chat. */
function chat(): Reply {
  throw new RequestRefused(400, openAiErrorBody("${name}: the stub's chat is not written yet"));
}
`,
  };
}
