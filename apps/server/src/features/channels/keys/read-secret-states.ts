import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Channel } from "@one-api/contract/channels/channel";
import type { SecretPurpose, Secrets } from "../../../core/secrets.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { listSealedKeys } from "./key.repository.ts";

type SecretState = Pick<Channel, "keys" | "is_unreadable">;

const MOST_NAMED = 100;

/** Returns by channel how many of its keys serve, and whether a secret of it needs another master key. */
export async function readSecretStates(
  queryable: Queryable,
  secrets: Secrets,
  ids: readonly number[],
): Promise<Map<number, SecretState>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable
    .selectFrom("channels")
    .select(["id", "key_cipher", "config_cipher", "proxy_cipher"])
    .where("id", "in", ids)
    .execute();
  // A list without pages has many ids.
  const keysOf = await listSealedKeys(queryable, ...(ids.length > MOST_NAMED ? [] : ids));
  const isSealedOtherwise = (purpose: SecretPurpose, sealed: string) =>
    sealed !== "" && secrets.keyOf(purpose, sealed) === undefined;
  return new Map(
    rows.map(({ id, key_cipher, config_cipher, proxy_cipher }) => {
      const keys = keysOf.get(id) ?? [];
      const isUnreadable =
        [key_cipher, ...keys.map((key) => key.key_cipher)].some((sealed) => isSealedOtherwise("channel-key", sealed)) ||
        isSealedOtherwise("channel-config", config_cipher) ||
        isSealedOtherwise("channel-proxy", proxy_cipher);
      const count = (status: number) => keys.filter((key) => key.status === status).length;
      const counts = {
        total: keys.length,
        enabled: count(KEY_STATUS.enabled),
        refused: count(KEY_STATUS.autoDisabled),
      };
      return [id, { ...(isUnreadable && { is_unreadable: true }), ...(keys.length > 0 && { keys: counts }) }];
    }),
  );
}
