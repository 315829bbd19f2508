import { fromRoot, listFiles, packageBin, PlainError } from "./repository.mjs";
import { runCaptured } from "./run-captured.mjs";
import { hashFiles, stampAt } from "./stamp.mjs";
import { withLock } from "./with-lock.mjs";

const consoleFolder = fromRoot("apps", "console");
const stamp = stampAt(fromRoot("apps", "console", "dist", ".stamp"));

/**
 * Builds apps/console into apps/console/dist when its sources, the contract or the locked packages have changed since the last
 * good build. Throws a PlainError with Vite's output when the build fails; the next start then tries again.
 * @param {string} node path of the Node that runs Vite
 */
export async function ensureConsole(node) {
  if (stamp.matches(consoleHash())) return;
  await withLock(fromRoot(".cache", "console-build.lock"), async () => {
    const hash = consoleHash();
    if (stamp.matches(hash)) return;
    console.log("Building the console…");
    stamp.remove();
    const run = await runCaptured(node, [packageBin("vite", { workspace: "apps/console" }), "build"], {
      cwd: consoleFolder,
      env: { ...process.env, NODE_ENV: "production" },
    });
    if (!run.ok)
      throw new PlainError(`${run.output}\nThe console could not be built (${run.ending}); Vite's output is above.`);
    stamp.write(hash);
  });
}

function consoleHash() {
  const sources = [consoleFolder, fromRoot("packages", "contract", "src")].flatMap(listFiles);
  const shipped = sources.filter((file) => !/\.test\.tsx?$/.test(file));
  return hashFiles([...shipped, fromRoot("packages", "contract", "package.json"), fromRoot("package-lock.json")]);
}
