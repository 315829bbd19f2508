import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { z } from "zod";
import type { Client } from "./client-list.ts";
import { runGroup } from "./run-group.ts";

const versionSchema = z.object({ version: z.string() });

/** Installs the newest versions, on this Node: older ones make npm choose older clients. Returns their version by package. */
export async function installClients(
  clients: readonly Client[],
  folder: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const packages = clients.map((client) => `${client.package}@latest`);
  const options = ["install", "--no-fund", "--no-audit", "--ignore-scripts=false", ...packages];
  // Install scripts leave files in the folder for temporary ones.
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const path = `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, PATH: path, TMPDIR: temporary };
  const code = await runGroup("npm", options, {
    cwd: folder,
    env,
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  if (code !== 0) throw new Error("npm could not install the clients.");
  return new Map(
    clients.map((client) => {
      const file = join(folder, "node_modules", client.package, "package.json");
      return [client.package, versionSchema.parse(JSON.parse(readFileSync(file, "utf8"))).version];
    }),
  );
}
