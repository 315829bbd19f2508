import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../call.ts";

const CONTRACT = join(import.meta.dirname, "..");

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "changesState" in value && "path" in value;
}

/** Every call of the contract. */
export async function listCalls(): Promise<Call[]> {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(join(CONTRACT, file))),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isCall);
}
