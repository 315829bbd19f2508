const LONGEST_SHOWN = 200;

/** Columns as the audit trail keeps them: long texts by their length only, sealed ones by name only. */
export function describeFields(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      if (name.endsWith("_cipher")) return [name.replace(/_cipher$/, "_secret"), "(changed)"];
      if (typeof value === "string" && value.length > LONGEST_SHOWN) return [name, `(${value.length} characters)`];
      return [name, value];
    }),
  );
}
