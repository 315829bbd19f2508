import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { RecipeStep } from "../../apps/console/src/features/recipes/recipe-steps.ts";
import { shellQuoted } from "../../apps/console/src/lib/values/call-example.ts";
import type { Client } from "./client-list.ts";

/** A client that has not ended by then failed. */
const LIMIT_MS = 60_000;
/** How long the last output may take to arrive after the end: processes that the client left behind can hold its streams open. */
const LAST_OUTPUT_MS = 1_000;

const exitSchema = z.tuple([z.number().nullable()]).rest(z.unknown());

interface ClientRun {
  /** Exit code; null where it was ended. */
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
  /** Folder with the commands of the installed clients. */
  readonly binaries: string;
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
  const { client, steps, home, binaries } = parts;
  for (const { place, code } of steps) if ("file" in place) writeInHome(home, place.file.replace("~/", ""), code);
  for (const [name, text] of Object.entries(client.files ?? {})) writeInHome(home, name, text);
  const project = join(home, "project");
  mkdirSync(project);
  const nodeFolder = dirname(process.execPath);
  const shell = spawn("/bin/bash", ["-c", scriptOf(parts)], {
    cwd: project,
    // Nothing of the caller's own accounts: the recipe alone sets the client up.
    env: { HOME: home, PATH: [binaries, nodeFolder, "/usr/bin", "/bin"].join(delimiter), LANG: "C.UTF-8", CI: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const collect = (text: Buffer) => {
    output += text.toString();
  };
  shell.stdout.on("data", collect);
  shell.stderr.on("data", collect);
  const end = () => {
    // Clients leave servers of their own behind, which are in the group of the shell.
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    } catch {
      // The group has ended.
    }
  };
  const limit = setTimeout(end, LIMIT_MS);
  try {
    const closed = once(shell, "close");
    const [code] = exitSchema.parse(await once(shell, "exit"));
    end();
    await Promise.race([closed, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
    return { code, output };
  } finally {
    clearTimeout(limit);
    shell.stdout.destroy();
    shell.stderr.destroy();
  }
}
