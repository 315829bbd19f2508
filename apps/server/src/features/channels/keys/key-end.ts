import { splitKey } from "@one-api/contract/channels/channel-key";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";

/** A shorter key would be half shown. */
const SHORTEST_SHOWN = 12;
const SHOWN = 4;

/** Returns the last four characters of a key, of its secret part if it has several; empty for a short one. */
export function keyEnd(type: number, key: string): string {
  const form = channelTypeInfo(type)?.key;
  const values = form === undefined ? undefined : splitKey(form, key);
  const plain = (form?.parts ?? []).map((part, index) => ({ part, value: values?.[index] ?? "" }));
  const texts = plain.filter(({ part }) => part.isDocument !== true);
  const shown = values === undefined ? key : (texts.find(({ part }) => part.isSecret === true) ?? texts.at(-1))?.value;
  return shown === undefined || shown.length < SHORTEST_SHOWN ? "" : shown.slice(-SHOWN);
}
