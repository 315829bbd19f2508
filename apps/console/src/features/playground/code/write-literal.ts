export interface LiteralStyle {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  /** Names of fields stand bare where they can. */
  readonly bareNames: boolean;
}

export const PYTHON: LiteralStyle = { yes: "True", no: "False", nothing: "None", bareNames: false };
export const TYPESCRIPT: LiteralStyle = { yes: "true", no: "false", nothing: "undefined", bareNames: true };

const LINE = 90;
const INDENT = "  ";

function nameIn(style: LiteralStyle, name: string): string {
  return style.bareNames && /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function block(open: string, parts: readonly string[], close: string, indent: string): string {
  if (parts.length === 0) return open + close;
  const space = open === "{" ? " " : "";
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= LINE) return line;
  const inner = indent + INDENT;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** Writes a value of JSON as a literal of the language, indented for where it stands. JSON's texts are texts of both languages. */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = ""): string {
  if (value === null || value === undefined) return value === null ? nullIn(style) : style.nothing;
  if (typeof value === "boolean") return value ? style.yes : style.no;
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    return block(
      "[",
      value.map((item: unknown) => writeLiteral(item, style, inner)),
      "]",
      indent,
    );
  }
  const fields = Object.entries(value).map(
    ([name, field]) => `${nameIn(style, name)}: ${writeLiteral(field, style, inner)}`,
  );
  return block("{", fields, "}", indent);
}

/** Python has one word for both. */
function nullIn({ nothing }: LiteralStyle): string {
  return nothing === "undefined" ? "null" : nothing;
}
