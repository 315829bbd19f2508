import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PlainError } from "./repository.mjs";

/** @typedef {{ name: string, exported: string, label: string, type: number }} Words */

const places = {
  types: "packages/contract/src/channels/channel-type-list.ts",
  registry: "packages/providers/src/registry.ts",
  stubs: "packages/stub-server/src/stubs.ts",
  trials: "apps/server/src/relay/translate/tests/provider-matrix.test.ts",
};

/**
 * Adds a vendor with an API of its own: folder, entry in the contract, line in both registries, row in the table of
 * tests. Throws a PlainError before any change.
 * @param {string} root absolute path of the repository
 * @param {string} name name of the type in code, in lower case with hyphens
 * @param {number} type One API's number
 * @returns {string[]} the written files, from the root
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
  const row = `  { name: "${label}", type: ${type}, model: "${name}-model", obeysToolChoice: true },\n`;
  return [
    change(root, places.types, (text) => addToContract(text, name, type)),
    change(root, places.registry, (text) =>
      addLine(text, `import { ${exported} } from "./vendors/${name}/vendor.ts";\n`, "const VENDORS: ", `  ${key},\n`),
    ),
    change(root, places.stubs, (text) =>
      addLine(
        text,
        `import { ${exported}Stub } from "@one-api/providers/vendors/${name}/stub";\n`,
        "const STUBS: ",
        `  "${name}": ${exported}Stub,\n`,
      ),
    ),
    change(root, places.trials, (text) => addLine(text, "", "const OWN: ", row)),
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

/**
 * Adds an import at the top and an entry at the beginning of a table.
 * @param {string} text @param {string} added the import; empty for none @param {string} table how its declaration begins @param {string} entry
 */
function addLine(text, added, table, entry) {
  const declared = text.indexOf(`\n${table}`);
  const end = text.indexOf("\n", declared + 1);
  if (declared === -1 || !/[{[]$/.test(text.slice(0, end)))
    throw new PlainError(`"${table}" is no table any more: follow it in scripts/lib/add-provider.mjs.`);
  return added + text.slice(0, end + 1) + entry + text.slice(end + 1);
}

/** @param {string} text @param {string} name @param {number} type */
function addToContract(text, name, type) {
  if (new RegExp(`\\btype: ${type},`).test(text)) throw new PlainError(`type ${type} is there already.`);
  const entry = `  { type: ${type}, name: "${name}", label: "${name}", colour: "gray", logo: "", baseUrl: "", needsBaseUrl: true },\n`;
  const end = "] as const satisfies readonly ChannelTypeInfo[];";
  if (!text.includes(end))
    throw new PlainError(`"${end}" is not there any more: follow it in scripts/lib/add-provider.mjs.`);
  return text.replace(end, () => entry + end);
}

/** @param {Words} words @returns {Record<string, string>} the texts of the new files */
function writeFiles({ name, exported }) {
  const folder = `packages/providers/src/vendors/${name}`;
  return {
    [`${folder}/format.ts`]: `import type { StreamDecoder, WrittenRequest } from "../../format-sides.ts";
import type { ProviderFormat } from "../../format.ts";
import type { ChatAnswer } from "../../neutral/chat-answer.ts";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { carriesError, readError } from "../../protocols/read-error.ts";

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
    [`${folder}/vendor.ts`]: `import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service } from "../../provider.ts";
import { ${exported}Chat } from "./format.ts";

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
    [`${folder}/stub.ts`]: `import type { Reply } from "../../stub-kit/call.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** Source: the address of the API's documentation. */
export const ${exported}Stub: Stub = {
  apis: [{ routes: { "POST /${name}/chat": chat } }],
};

function chat(): Reply {
  return refuse("${name}: the stub's chat is not written yet");
}
`,
  };
}
