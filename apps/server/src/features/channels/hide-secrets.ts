import { secretTexts } from "./channel-config.ts";
import type { ChannelConnection } from "./channel-for-relay.ts";

/** Parts of a key shorter than this are no secret by themselves, and would blot out plain words. */
const SHORTEST_SECRET = 8;
const MAX_LENGTH = 1_000;

/** A provider's text without the channel's secrets, which some providers repeat in their errors, and not longer than 1,000 characters. */
export function hideSecrets(text: string, connection: ChannelConnection): string {
  const secrets = [
    connection.key,
    ...connection.key.split(/[|\n]/),
    connection.config.ak ?? "",
    ...secretTexts(connection.config),
  ]
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((left, right) => right.length - left.length);
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text).slice(0, MAX_LENGTH);
}
