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

const PROMPT = "What does the sign say? Use no tools.";
/** Nothing but the stub says it. */
const ANSWER = "The sign says marmalade.";
const LONGEST_REPORT = 2_000;

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
const upstream = await startFakeUpstream({ behaviour: { kind: "normal", text: ANSWER } });
const gateway = await startGateway();
const failures: string[] = [];
try {
  const versions = install(clients, folder);
  const key = await setUpProviders(await logInToGateway(gateway.url), upstream);
  const rows: string[][] = [];
  for (const client of clients) {
    const recipe = RECIPES.find(({ id }) => id === client.recipe);
    const cells: string[] = [];
    for (const { name, model } of PROVIDERS) {
      const home = join(folder, `${client.recipe}-${name}`);
      mkdirSync(home);
      const chosen = { model, parameters: [], max_output_tokens: null };
      const steps = recipe?.steps({ address: gateway.url, key, model: chosen, greeting: PROMPT }) ?? [];
      const { code, output } = await runClient({
        client,
        steps,
        prompt: PROMPT,
        home,
        binaries: join(folder, "node_modules", ".bin"),
      });
      const isGood = code === 0 && output.includes(ANSWER);
      cells.push(isGood ? "ok" : "FAILED");
      if (!isGood) failures.push(`${client.recipe} with ${name} ended with ${code}:\n${output.slice(-LONGEST_REPORT)}`);
    }
    rows.push([client.recipe, versions.get(client.package) ?? "", ...cells]);
    console.log(rows.at(-1)?.join("  "));
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
