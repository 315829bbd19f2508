import { readFileSync } from "node:fs";

/** Suffix of a variable that names a file with the value, as Docker and Kubernetes mount secrets. */
const SUFFIX = "_FILE";

interface SecretsFromFiles {
  readonly environment: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** Returns the variable with the name of the file that holds the value of `name`. */
export function fileVariable(name: string): string {
  return `${name}${SUFFIX}`;
}

/** Reads the value of each secret whose `…_FILE` variable is set, without the newline at its end. */
export function readSecretFiles(
  environment: Readonly<Record<string, string>>,
  secrets: readonly string[],
): SecretsFromFiles {
  const values = { ...environment };
  const problems: string[] = [];
  for (const name of secrets) {
    const file = environment[fileVariable(name)];
    if (file === undefined) continue;
    const value = environment[name] === undefined ? readSecret(name, file) : { problem: bothSet(name) };
    if ("problem" in value) problems.push(value.problem);
    else values[name] = value.text;
  }
  return { environment: values, problems };
}

function bothSet(name: string): string {
  return `${name} and ${fileVariable(name)} are both set. Remove one of them.`;
}

function readSecret(name: string, file: string): { readonly text: string } | { readonly problem: string } {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return {
      problem: `${fileVariable(name)}: the file ${file} cannot be read (${code}). Name a file that this user may read, or set ${name} itself.`,
    };
  }
  const text = content.replace(/\r?\n$/, "");
  if (text !== "") return { text };
  return { problem: `${fileVariable(name)}: the file ${file} is empty. Write the value of ${name} into it.` };
}
