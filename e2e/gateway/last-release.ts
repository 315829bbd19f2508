import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import { z } from "zod";
import { fromRoot, repositoryRoot } from "../../scripts/lib/repository.mjs";

const MIGRATIONS = "packages/database/src/migrations/all-migrations.ts";

/** The server's file of the last release, or why there is none. */
export type LastRelease = { readonly server: string } | { readonly missing: string };

/**
 * Returns the folder that LAST_RELEASE names, else unpacks the last release from the history of this clone: its last tag,
 * or the version before the newest migration while no release is tagged. Needs no network.
 */
export function findLastRelease(): LastRelease {
  const named = process.env["LAST_RELEASE"] ?? "";
  if (named !== "") return serverIn(path.resolve(named));
  const revision = findRevision();
  if (revision === undefined)
    return { missing: `This clone has no history of it: git fetch --unshallow --tags, or ${nameFolder("REVISION")}` };
  const differing = differingPackages(revision);
  if (differing.length > 0)
    return { missing: `It needs other packages (${differing.join(", ")}): ${nameFolder(revision)}` };
  return serverIn(unpack(revision));
}

function nameFolder(revision: string): string {
  return `git worktree add ../last ${revision} && npm --prefix ../last ci && LAST_RELEASE=../last npm test`;
}

function serverIn(folder: string): LastRelease {
  return { server: path.join(folder, "apps/server/src/main.ts") };
}

function findRevision(): string | undefined {
  // A tag of this very commit is today's release.
  const tag = git(["describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD^"]);
  const migrated = git(["log", "--max-count=1", "--format=%H", "--", MIGRATIONS]);
  return tag ?? git(["rev-parse", "--verify", "--quiet", `${migrated}^`]);
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.optional(z.string()), dependencies: z.optional(z.record(z.string(), z.string())) }),
  ),
});

/** Dependencies of the release's workspaces whose installed version is another. */
function differingPackages(revision: string): string[] {
  const then = lockSchema.parse(JSON.parse(git(["show", `${revision}:package-lock.json`]) ?? ""));
  const today = lockSchema.parse(JSON.parse(readFileSync(fromRoot("package-lock.json"), "utf8")));
  const used = Object.entries(then.packages)
    .filter(([folder]) => /^(?:packages\/|apps\/server$)/.test(folder))
    .flatMap(([, { dependencies = {} }]) => Object.keys(dependencies));
  const versionIn = ({ packages }: z.infer<typeof lockSchema>, name: string) =>
    packages[`node_modules/${name}`]?.version;
  return [...new Set(used)].filter((name) => versionIn(then, name) !== versionIn(today, name));
}

/** Writes the files of a revision into a folder of their own, with links to the installed packages of others. */
function unpack(revision: string): string {
  const folder = temporaryFolder("one-api-last-release-");
  const index = { GIT_INDEX_FILE: path.join(folder, "index") };
  git(["read-tree", revision], index);
  git(["checkout-index", "--all", `--prefix=${folder}/`], index);
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "@one-api"), { recursive: true });
  for (const name of readdirSync(fromRoot("node_modules")))
    if (name !== "@one-api") symlinkSync(fromRoot("node_modules", name), path.join(modules, name));
  for (const name of readdirSync(path.join(folder, "packages")))
    symlinkSync(path.join(folder, "packages", name), path.join(modules, "@one-api", name));
  return folder;
}

/** Returns what git prints; undefined if it fails. */
function git(command: readonly string[], env: NodeJS.ProcessEnv = {}): string | undefined {
  const run = spawnSync("git", command, {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return run.status === 0 ? run.stdout.trim() : undefined;
}
