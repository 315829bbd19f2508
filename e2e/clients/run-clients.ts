// npm run clients [-- <recipe>…]: installs the newest clients into a temporary folder, follows the recipes of the console word by word, and has
// each client answer one prompt with a model of each kind of provider. Prints a table; ends with 1 where a client failed.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { z } from "zod";
import { RECIPES } from "../../apps/console/src/features/recipes/recipes.ts";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { type Client, CLIENTS } from "./client-list.ts";
import { PROVIDERS, setUpProviders } from "./providers.ts";
import { runClient } from "./run-client.ts";
import { ScriptedAnswers } from "./scripted-answers.ts";

/** Also the argument of the tool call, so it has to be harmless as a shell command or a file name. */
const PROMPT = "true sign";
/** Nothing but the stub says it. */
const ANSWER = "The sign says marmalade.";
const REPORTED_LINES = 20;

const versionSchema = z.object({ version: z.string() });

/** Installs the newest versions, on this Node: older ones make npm choose older clients. Returns their version by package. */
function install(clients: readonly Client[], folder: string): Map<string, string> {
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const packages = clients.map((client) => `${client.package}@latest`);
  const options = ["install", "--no-fund", "--no-audit", "--ignore-scripts=false", ...packages];
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
  const { status } = spawnSync("npm", options, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error("npm could not install the clients.");
  return new Map(
    clients.map((client) => {
      const file = join(folder, "node_modules", client.package, "package.json");
      return [client.package, versionSchema.parse(JSON.parse(readFileSync(file, "utf8"))).version];
    }),
  );
}

function chosenClients(names: readonly string[]): readonly Client[] {
  const unknown = names.filter((name) => CLIENTS.every(({ recipe }) => recipe !== name));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(", ")}. Clients: ${CLIENTS.map(({ recipe }) => recipe).join(", ")}.`);
  return CLIENTS.filter(({ recipe }) => names.length === 0 || names.includes(recipe));
}

const clients = chosenClients(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "one-api-clients-"));
const answers = new ScriptedAnswers(ANSWER);
const upstream = await startFakeUpstream({});
upstream.setBehaviour((request) => answers.next(request));
const gateway = await startGateway();
const failures: string[] = [];

/** Lets a client answer the prompt with a model of a provider. Returns the cell of the table. */
async function tryClient(client: Client, provider: (typeof PROVIDERS)[number], key: string): Promise<string> {
  const recipe = RECIPES.find(({ id }) => id === client.recipe);
  const home = join(folder, `${client.recipe}-${provider.name}`);
  mkdirSync(home);
  const model = { model: provider.model, parameters: [], max_output_tokens: null };
  const steps = recipe?.steps({ address: gateway.url, key, model, greeting: PROMPT }) ?? [];
  const binaries = join(folder, "node_modules", ".bin");
  answers.restart();
  const startedAt = performance.now();
  const { code, output } = await runClient({ client, steps, prompt: PROMPT, home, binaries });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const isGood = code === 0 && output.includes(ANSWER);
  const cell = isGood ? answers.outcome : "FAILED";
  console.log(`${client.recipe} with ${provider.name}: ${cell} (${seconds} s)`);
  if (!isGood) {
    const lines = output.trimEnd().split("\n").slice(-REPORTED_LINES).join("\n");
    const end = code === null ? "was ended before it answered" : `ended with ${code}`;
    failures.push(`${client.recipe} with ${provider.name} ${end}; ${answers.outcome}. Last lines:\n${lines}`);
  }
  return cell;
}

try {
  const versions = install(clients, folder);
  const key = await setUpProviders(await logInToGateway(gateway.url), upstream);
  const rows: string[][] = [];
  for (const client of clients) {
    const cells: string[] = [];
    for (const provider of PROVIDERS) cells.push(await tryClient(client, provider, key));
    rows.push([client.recipe, versions.get(client.package) ?? "", ...cells]);
  }
  console.log(`\n| Client | Version | ${PROVIDERS.map(({ name }) => name).join(" | ")} |`);
  console.log(`|${"---|".repeat(PROVIDERS.length + 2)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  for (const failure of failures) console.log(`\n${failure}`);
} finally {
  await gateway.stop();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures.length > 0 ? 1 : 0;
