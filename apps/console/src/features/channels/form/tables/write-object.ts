type Entries = readonly (readonly [name: string, value: unknown])[];

/** An object inside of another one, by its entries. */
export class NamedValues {
  readonly entries: Entries;

  constructor(entries: Entries) {
    this.entries = entries;
  }
}

/** Writes indented JSON. A name that is there twice is written twice, so that the form refuses it instead of dropping a row. */
export function writeObject(entries: Entries, indent = ""): string {
  const inner = `${indent}  `;
  const lines = entries.map(([name, value]) => `${inner}${JSON.stringify(name)}: ${writeValue(value, inner)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function writeValue(value: unknown, indent: string): string {
  if (value instanceof NamedValues) return writeObject(value.entries, indent);
  return JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${indent}`);
}
