import type { JsonObject } from "@one-api/providers/stub-kit/json-fields";

/** Parses a form with Node's own parser: files become names and sizes, repeated fields become lists. */
export async function readForm(bytes: Buffer, contentType: string): Promise<JsonObject> {
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
  const names = new Set(form.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = form.getAll(name).map((value) => (typeof value === "string" ? value : aboutFile(value)));
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
}

function aboutFile({ name, size, type }: File): JsonObject {
  return { name, bytes: size, type };
}
