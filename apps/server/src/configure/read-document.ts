import { readFileSync } from "node:fs";
import path from "node:path";
import { type Configuration, configurationSchema } from "@one-api/contract/configuration/configuration";
import { hasProxyLogin } from "@one-api/contract/channels/channel-proxy";
import { isOptionKey } from "@one-api/contract/options/option-definitions";
import { parseDocument } from "yaml";
import { z } from "zod";
import { splitConfig } from "../features/channels/index.ts";
import { isSecretOption } from "../features/options/index.ts";
import { ConfigureError } from "./configure-error.ts";

const REFERENCE = /^(env|file):(.+)$/;

const recordSchema = z.record(z.string(), z.unknown());

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** Reads a document in YAML or JSON and its references. Throws ConfigureError with every problem, and without secrets. */
export function readDocument(file: string, environment: Surroundings["environment"]): Configuration {
  const raw = parse(readText(file), file);
  const problems = findSecrets(raw).map(
    (place) => `${place} must be a reference such as env:NAME or file:PATH. The document must not contain the secret.`,
  );
  const resolved = resolve(raw, [], { environment, folder: path.dirname(file) }, problems);
  if (problems.length > 0) throw new ConfigureError(problems.join("\n"));
  const read = configurationSchema.safeParse(resolved);
  if (read.success) return read.data;
  throw new ConfigureError(read.error.issues.map(describeIssue).join("\n"));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigureError(`${file} cannot be read: ${codeOf(error)}.`);
  }
}

/** JSON is YAML, so one parser reads both and finds repeated names. */
function parse(text: string, file: string): unknown {
  const document = parseDocument(text);
  const [problem] = document.errors;
  // The message quotes the line, which may have a secret.
  const at = problem?.linePos?.[0];
  if (problem !== undefined)
    throw new ConfigureError(`${file}: line ${at?.line ?? 1}, column ${at?.col ?? 1}: ${problem.code}.`);
  return document.toJS();
}

function findSecrets(raw: unknown): string[] {
  const { options, channels } = membersOf(raw);
  const isLiteral = (value: unknown) => typeof value === "string" && value !== "" && !REFERENCE.test(value);
  const ofOptions = Object.entries(membersOf(options))
    .filter(([key, value]) => isOptionKey(key) && isSecretOption(key) && isLiteral(value))
    .map(([key]) => `options.${key}`);
  const ofChannels = (Array.isArray(channels) ? channels : []).flatMap((channel: unknown, index) => {
    const { key, proxy, config } = membersOf(channel);
    const place = `channels.${index}`;
    const secrets = Object.entries(splitConfig(membersOf(config)).secret);
    return [
      ...(isLiteral(key) ? [`${place}.key`] : []),
      ...(typeof proxy === "string" && hasProxyLogin(proxy) ? [`${place}.proxy`] : []),
      ...secrets.filter(([, value]) => isLiteral(value)).map(([name]) => `${place}.config.${name}`),
    ];
  });
  return [...ofOptions, ...ofChannels];
}

function membersOf(value: unknown): Record<string, unknown> {
  return recordSchema.safeParse(value).data ?? {};
}

function resolve(value: unknown, place: readonly string[], surroundings: Surroundings, problems: string[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => resolve(item, [...place, String(index)], surroundings, problems));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, resolve(member, [...place, name], surroundings, problems)]),
    );
  const [, kind, name = ""] = typeof value === "string" ? (REFERENCE.exec(value) ?? []) : [];
  if (kind === undefined) return value;
  const found = kind === "env" ? readVariable(name, surroundings) : readFile(name, surroundings);
  if (typeof found === "string") return found;
  problems.push(`${place.join(".")}: ${found.problem}`);
  return value;
}

function readVariable(name: string, { environment }: Surroundings): string | { readonly problem: string } {
  return environment[name] || { problem: `the environment has no ${name}.` };
}

function readFile(name: string, { folder }: Surroundings): string | { readonly problem: string } {
  try {
    return readFileSync(path.resolve(folder, name), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    return { problem: `the file ${name} cannot be read: ${codeOf(error)}.` };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

function describeIssue({ path: place, message }: z.core.$ZodIssue): string {
  return `${place.length === 0 ? "The document" : place.map(String).join(".")}: ${message}`;
}
