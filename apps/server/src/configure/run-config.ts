import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  applyConfiguration,
  exportConfiguration,
  planConfiguration,
} from "@one-api/contract/configuration/configuration";
import { stringify } from "yaml";
import { ConfigError, readClientEnvironment } from "../config.ts";
import { callServer, readServer } from "./call-server.ts";
import { ConfigureError } from "./configure-error.ts";
import { describeChanges } from "./describe-changes.ts";
import { readDocument } from "./read-document.ts";

// npm run config -- export|plan|apply FILE: the configuration of a running server as a document. Exit code 1 if a plan has
// changes, 2 for an error.

const USAGE = `Name what to do, and a file in YAML or JSON:
  npm run config -- export FILE
  npm run config -- plan FILE
  npm run config -- apply FILE [--allow-deletions]`;

try {
  process.exitCode = await run();
} catch (error) {
  const isForOperator = error instanceof ConfigureError || error instanceof ConfigError;
  const reason = isForOperator ? error.message : `The command failed: ${String(error)}`;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const { command, file, allowDeletions } = readArguments();
  const environment = readClientEnvironment();
  const server = readServer(environment);
  if (command === "export") {
    if (existsSync(file)) throw new ConfigureError(`${file} exists. Name a new file.`);
    const document = await callServer(server, exportConfiguration);
    writeFileSync(file, file.endsWith(".json") ? `${JSON.stringify(document, undefined, 2)}\n` : stringify(document));
    print([`The configuration is in ${file}, without secrets.`]);
    return 0;
  }
  const configuration = readDocument(file, environment);
  if (command === "plan") {
    const changes = await callServer(server, planConfiguration, { configuration });
    print(describeChanges(changes, " to apply."));
    return changes.length === 0 ? 0 : 1;
  }
  const body = { configuration, allow_deletions: allowDeletions };
  print(describeChanges(await callServer(server, applyConfiguration, body), " applied."));
  return 0;
}

function readArguments() {
  const options = { "allow-deletions": { type: "boolean", default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [command, file, ...more] = positionals;
    if ((command === "export" || command === "plan" || command === "apply") && file !== undefined && more.length === 0)
      return { command, file, allowDeletions: values["allow-deletions"] };
  } catch {
    // An unknown option; the usage names the known one.
  }
  throw new ConfigureError(USAGE);
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}
