import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Call, Schema } from "../call.ts";

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

/** Fields of a call's query and body. */
export function listFields({ query, body }: Pick<Call, "query" | "body">) {
  return [query, body].flatMap(fieldsIn);
}

function fieldsIn(schema: Schema) {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties).map((name) => ({ name, isRequired: required.includes(name) }));
}
