import { KEY_STATUS } from "@one-api/contract/channels/channel-constants";
import type { Channel } from "@one-api/contract/channels/channel";
import type { SecretPurpose, Secrets } from "../../../core/secrets.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { type KeyRow, listSealedKeys } from "./key.repository.ts";
import { sumKeyBalances } from "./sum-key-balances.ts";

type SecretState = Pick<Channel, "keys" | "is_unreadable"> & Partial<Pick<Channel, "balance" | "balance_updated_time">>;

const MOST_NAMED = 100;

/**
 * Returns by channel how many of its keys serve, what they have left, and whether a secret of it needs another master
 * key. A sum that lacks a key's balance is never the channel's.
 */
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
      return [id, { ...(isUnreadable && { is_unreadable: true }), ...(keys.length > 0 && describeKeys(keys)) }];
    }),
  );
}

function describeKeys(keys: readonly KeyRow[]): SecretState {
  const count = (status: number) => keys.filter((key) => key.status === status).length;
  const { known, unknown, sum, ofChannel } = sumKeyBalances(keys);
  return {
    ...ofChannel,
    keys: {
      total: keys.length,
      enabled: count(KEY_STATUS.enabled),
      refused: count(KEY_STATUS.autoDisabled),
      known_balances: known,
      unknown_balances: unknown,
      known_balance: sum,
    },
  };
}
