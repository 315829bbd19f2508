import { type JsonRecord, listOf, numberOf, parseJson, recordOf } from "../../shared/json-fields.ts";

/**
 * Bytes of a little-endian float in a base64 vector. Source:
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
const NUMBER_BYTES = 4;

export function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * NUMBER_BYTES);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * NUMBER_BYTES);
  return bytes.toString("base64");
}

export function readVector(value: unknown): readonly number[] {
  if (typeof value !== "string") return listOf(value).map((each) => numberOf(each) ?? 0);
  const bytes = Buffer.from(value, "base64");
  return Array.from({ length: Math.floor(bytes.length / NUMBER_BYTES) }, (_, index) =>
    bytes.readFloatLE(index * NUMBER_BYTES),
  );
}

/** Start of a vector: a bracket for numbers, a quote for base64. */
const VECTOR = /"embedding"\s*:\s*(["[])/;
/** The first vector usually starts within these bytes. */
const HEAD_BYTES = 4 * 1024;
const PLAIN_ENCODINGS: ReadonlySet<unknown> = new Set([undefined, null, "float", "base64"]);

/**
 * Converts vectors to the requested encoding, because some servers only support one. Returns undefined if they match,
 * or if other numbers than floats are requested.
 */
export function mendVectors(request: JsonRecord, bytes: Buffer): Buffer | undefined {
  const { encoding_format: encoding, output_dtype: type } = request;
  if (!PLAIN_ENCODINGS.has(encoding) || (type !== undefined && type !== "float")) return undefined;
  const isBase64 = encoding === "base64";
  const found = VECTOR.exec(bytes.toString("latin1", 0, HEAD_BYTES)) ?? VECTOR.exec(bytes.toString("latin1"));
  if (found === null || (found[1] === '"') === isBase64) return undefined;
  const answer = recordOf(parseJson(bytes.toString()));
  const data = listOf(answer.data).map((item) => {
    const record = recordOf(item);
    const vector = readVector(record.embedding);
    return { ...record, embedding: isBase64 ? toBase64(vector) : vector };
  });
  return Buffer.from(JSON.stringify({ ...answer, data }));
}
