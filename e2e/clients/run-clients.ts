// npm run clients [-- <recipe>…]: installs the newest clients into a temporary folder, follows the console's recipes,
// and lets each answer a prompt with a model of each kind of provider. Prints a table; exits with 1 if a client failed.
// SIGINT and SIGTERM clean up.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import { RECIPES } from "../../apps/console/src/features/recipes/recipes.ts";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { type Client, CLIENTS } from "./client-list.ts";
import { failedRequests } from "./failed-requests.ts";
import { installClients } from "./install-clients.ts";
import { PROVIDERS, setUpProviders } from "./providers.ts";
import { runClient } from "./run-client.ts";
import { ScriptedAnswers } from "./scripted-answers.ts";

/** Also the argument of the tool call, so it has to be harmless as a shell command or a file name. */
const PROMPT = "true sign";
/** Nothing but the stub says it. */
const ANSWER = "The sign says marmalade.";
const REPORTED_LINES = 20;

interface Bench {
  readonly folder: string;
  readonly gateway: Gateway;
  readonly root: GatewayClient;
  readonly key: string;
  readonly answers: ScriptedAnswers;
  readonly signal: AbortSignal;
}

interface Try {
  readonly cell: string;
  /** Absent where it succeeded. */
  readonly failure?: string;
}

function chosenClients(names: readonly string[]): readonly Client[] {
  const unknown = names.filter((name) => CLIENTS.every(({ recipe }) => recipe !== name));
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(", ")}. Clients: ${CLIENTS.map(({ recipe }) => recipe).join(", ")}.`);
  return CLIENTS.filter(({ recipe }) => names.length === 0 || names.includes(recipe));
}

async function tryClient(client: Client, provider: (typeof PROVIDERS)[number], bench: Bench): Promise<Try> {
  const { folder, gateway, key, answers, signal } = bench;
  const recipe = RECIPES.find(({ id }) => id === client.recipe);
  const home = join(folder, `${client.recipe}-${provider.name}`);
  mkdirSync(home);
  const model = { model: provider.model, parameters: [], max_output_tokens: null };
  const steps = recipe?.steps({ address: gateway.url, key, model, greeting: PROMPT }) ?? [];
  const binaries = join(folder, "node_modules", ".bin");
  answers.restart();
  const startedAt = performance.now();
  const { code, output } = await runClient({ client, steps, prompt: PROMPT, home, binaries, signal });
  signal.throwIfAborted();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const hasSucceeded = code === 0 && answers.isComplete && output.includes(ANSWER);
  const name = `${client.recipe} with ${provider.name}`;
  console.log(`${name}: ${hasSucceeded ? answers.outcome : "FAILED"} (${seconds} s)`);
  if (hasSucceeded) return { cell: answers.outcome };
  const end = code === null ? "was killed at the limit of time" : `ended with ${code}`;
  const lines = output.trimEnd().split("\n").slice(-REPORTED_LINES).join("\n");
  return { cell: "FAILED", failure: `${name} ${end}; ${answers.outcome}. Last lines:\n${lines}` };
}

/** Tries the clients with each provider and prints the table. Returns the failures. */
async function tryClients(clients: readonly Client[], versions: ReadonlyMap<string, string>, bench: Bench) {
  const failures: string[] = [];
  const rows: string[][] = [];
  for (const client of clients) {
    const cells: string[] = [];
    for (const provider of PROVIDERS) {
      const { cell, failure } = await tryClient(client, provider, bench);
      cells.push(cell);
      if (failure !== undefined) failures.push(failure);
    }
    rows.push([client.recipe, versions.get(client.package) ?? "", ...cells]);
  }
  console.log(`\n| Client | Version | ${PROVIDERS.map(({ name }) => name).join(" | ")} |`);
  console.log(`|${"---|".repeat(PROVIDERS.length + 2)}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  // A client can repeat a refused request and succeed. Its try looks good, and the gateway has refused it all the same.
  return [...failures, ...(await failedRequests(bench.root))];
}

async function run(clients: readonly Client[], signal: AbortSignal): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "one-api-clients-"));
  let upstream: StubServer | undefined;
  let gateway: Gateway | undefined;
  try {
    const versions = await installClients(clients, folder, signal);
    signal.throwIfAborted();
    const answers = new ScriptedAnswers(ANSWER, PROMPT);
    upstream = await startStubServer({ behaviour: (request) => answers.next(request) });
    gateway = await startGateway();
    const root = await logInToGateway(gateway.url);
    const key = await setUpProviders(root, upstream);
    return await tryClients(clients, versions, { folder, gateway, root, key, answers, signal });
  } finally {
    await gateway?.stop();
    await upstream?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const clients = chosenClients(process.argv.slice(2));
const interruption = new AbortController();
let interruptedBy: NodeJS.Signals | undefined;
for (const name of ["SIGINT", "SIGTERM"] as const)
  process.once(name, () => {
    interruptedBy = name;
    interruption.abort();
  });
try {
  const failures = await run(clients, interruption.signal);
  for (const failure of failures) console.log(`\n${failure}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  if (interruptedBy === undefined) throw error;
  process.kill(process.pid, interruptedBy);
}
