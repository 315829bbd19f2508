import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { RecipeStep } from "../../apps/console/src/features/recipes/recipe-steps.ts";
import { shellQuoted } from "../../apps/console/src/lib/values/call-example.ts";
import type { Client } from "./client-list.ts";
import { runGroup } from "./run-group.ts";

/** A client that runs longer is killed and failed. On an idle machine of two cores the slowest needs 6 s. */
const LIMIT_MS = 120_000;

interface ClientRun {
  /** Exit code; null where it was killed. */
  readonly code: number | null;
  /** Both its output streams. */
  readonly output: string;
}

interface RunParts {
  readonly client: Client;
  readonly steps: readonly RecipeStep[];
  readonly prompt: string;
  /** Empty folder that becomes the home of the client. */
  readonly home: string;
  readonly binaries: string;
  readonly signal: AbortSignal;
}

function writeInHome(home: string, name: string, text: string): void {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The lines of the recipe's terminal, of which the last one asks the prompt and ends. */
function scriptOf({ client, steps, prompt }: RunParts): string {
  const lines = steps.flatMap(({ place, code }) => ("field" in place && place.field === "terminal" ? [code] : []));
  return `set -e\n${lines.join("\n")} ${client.headless(prompt).map(shellQuoted).join(" ")}\n`;
}

/** Follows a recipe word by word in an empty home, with the client's command in place of its window. */
export async function runClient(parts: RunParts): Promise<ClientRun> {
  const { client, steps, home, binaries, signal } = parts;
  for (const { place, code } of steps) if ("file" in place) writeInHome(home, place.file.replace("~/", ""), code);
  for (const [name, text] of Object.entries(client.files ?? {})) writeInHome(home, name, text);
  const project = join(home, "project");
  mkdirSync(project);
  const temporary = join(home, "tmp");
  mkdirSync(temporary);
  const path = [binaries, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  let output = "";
  const code = await runGroup("/bin/bash", ["-c", scriptOf(parts)], {
    cwd: project,
    // Nothing of the caller's own accounts: the recipe alone sets the client up.
    env: { HOME: home, TMPDIR: temporary, PATH: path, LANG: "C.UTF-8", CI: "1", ...client.environment },
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
    onOutput: (text) => {
      output += text;
    },
  });
  return { code, output };
}
