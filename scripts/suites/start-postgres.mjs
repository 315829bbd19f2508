import { spawn } from "node:child_process";
import { once } from "node:events";
import { fromRoot, PlainError } from "../lib/repository.mjs";

/** Prints the server's environment and runs until its input closes, at the latest with this process. */
const holder = `
const { TEST_POSTGRES_URL, TEST_POSTGRES_TEMPLATE } = process.env;
console.log(JSON.stringify({ TEST_POSTGRES_URL, TEST_POSTGRES_TEMPLATE }));
process.stdin.resume();`;

/**
 * Starts one PostgreSQL server for all tests of a run, with a database that theirs are copies of; without PostgreSQL's programs, nothing.
 * @param {{ node: string, env: NodeJS.ProcessEnv }} context
 * @returns {Promise<{ env: NodeJS.ProcessEnv, stop: () => Promise<void> }>} `env`: what tells tests of the server
 */
export async function startPostgres({ node, env }) {
  const runner = fromRoot("packages", "database", "src", "testing", "run-with-postgres.ts");
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", runner, node, "-e", holder], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
    detached: process.platform !== "win32",
  });
  const closed = once(child, "close");
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text;
    if (said.includes("\n")) break;
  }
  if (!said.includes("\n")) throw new PlainError("PostgreSQL for the tests did not start; what it said is above.");
  return {
    env: JSON.parse(said),
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}
