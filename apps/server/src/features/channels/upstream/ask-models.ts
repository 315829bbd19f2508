import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { joinList, splitList } from "@one-api/contract/texts";
import type { ModelListQuery } from "../channel-dependencies.ts";

const MAX_LISTED_CHARACTERS = 200_000;

/** Requests a provider's models, without duplicates. Throws if the list is missing, too long or late. */
export async function askModels(
  query: ModelListQuery,
  connection: ChannelConnection,
  getJson: GetJson,
  timeoutMs: number,
): Promise<string[]> {
  const listed = joinList(await within(timeoutMs, query(connection, getJson)));
  if (listed === "" || listed.length > MAX_LISTED_CHARACTERS)
    throw new Error("The provider's answer holds no list of models.");
  return splitList(listed);
}

async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The provider did not answer in time.")), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
