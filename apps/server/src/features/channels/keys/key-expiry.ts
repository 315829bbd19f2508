import { LAST_SECOND } from "@one-api/contract/constants";
import { z } from "zod";

const claimsSchema = z.object({ exp: z.number().positive().max(LAST_SECOND) });

/** Returns the end that a key states itself, as a JSON Web Token does (RFC 7519), in Unix seconds; 0 for none. */
export function expiryOfKey(key: string): number {
  const [, claims, signature, ...more] = key.split(".");
  if (claims === undefined || signature === undefined || more.length > 0) return 0;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
    const read = claimsSchema.safeParse(parsed);
    return read.success ? Math.floor(read.data.exp) : 0;
  } catch {
    return 0;
  }
}
