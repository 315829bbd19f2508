import type { KeyScope } from "@one-api/contract/accounts/management-key-constants";
import { MANAGEMENT_KEY_PREFIX } from "@one-api/contract/accounts/management-key-constants";
import { joinList } from "@one-api/contract/texts";
import { fingerprint, randomText } from "../core/secrets.ts";
import type { TestApp } from "./create-test-app.ts";
import { createTestClient, type TestClient } from "./test-client.ts";

/** A client with a new management key of the user, which need not be allowed to make one. */
export async function clientWithKey(
  { app, database }: TestApp,
  userId: number,
  scopes: readonly KeyScope[],
): Promise<TestClient> {
  const key = `${MANAGEMENT_KEY_PREFIX}${randomText(40)}`;
  const row = { user_id: userId, name: "test", hint: key.slice(-4), networks: "", created_at: 1, expires_at: -1 };
  await database.db
    .insertInto("management_keys")
    .values({ ...row, key_hash: fingerprint(key), scopes: joinList(scopes) })
    .execute();
  return createTestClient(app, { accessToken: `Bearer ${key}` });
}
