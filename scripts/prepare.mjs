import { ensureConsole } from "./lib/ensure-console.mjs";
import { ensureDependencies } from "./lib/ensure-dependencies.mjs";
import { runtimeNode } from "./lib/runtime-node.mjs";

/**
 * Makes the checkout ready to run: npm packages, the Node for the sources and, when asked for, a fresh build of the console.
 * Does nothing but a few look-ups when all of that is there.
 * @param {{ withConsole: boolean }} options
 * @returns {Promise<string>} path of the Node that runs the TypeScript sources
 */
export async function prepare({ withConsole }) {
  await ensureDependencies();
  const node = runtimeNode();
  if (withConsole) await ensureConsole(node);
  return node;
}
