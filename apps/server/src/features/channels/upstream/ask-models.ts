import type { ChannelConnection, GetJson } from "@one-api/contract/channels/channel-connection";
import { CHANNEL_DIALECTS } from "@one-api/contract/channels/channel-constants";
import type { DialectUrls } from "@one-api/contract/channels/channel-json";
import { type ChannelType, speakerOf } from "@one-api/contract/channels/channel-types";
import { joinList, splitList } from "@one-api/contract/texts";
import type { ChannelDependencies, ModelListQuery } from "../channel-dependencies.ts";

const MAX_LISTED_CHARACTERS = 200_000;

interface ModelList {
  readonly query: ModelListQuery;
  readonly connection: ChannelConnection;
}

interface AskedChannel {
  /** Undefined for an unknown type. */
  readonly type: ChannelType | undefined;
  readonly proxy: string;
  readonly connection: ChannelConnection;
  readonly dialectUrls: DialectUrls | undefined;
}

/** Returns the lists of models of a channel: that of its type first, then those at the addresses of its dialects. */
export function modelListsOf(
  { modelListOf }: Pick<ChannelDependencies, "modelListOf">,
  { type, proxy, connection, dialectUrls = {} }: AskedChannel,
): readonly ModelList[] {
  const listAt = (at: ChannelType | undefined, baseUrl: string | undefined): readonly ModelList[] => {
    const query = at === undefined || baseUrl === undefined ? undefined : modelListOf(at, proxy);
    return query === undefined ? [] : [{ query, connection: { ...connection, baseUrl: baseUrl ?? "" } }];
  };
  const ofDialects = CHANNEL_DIALECTS.flatMap((dialect) => listAt(speakerOf(dialect), dialectUrls[dialect]));
  return [...listAt(type, connection.baseUrl), ...ofDialects];
}

/**
 * Requests a provider's models, without duplicates, from the first of the lists that answers. Throws the error of the
 * first if all are missing, too long or late.
 */
export async function askModels(lists: readonly ModelList[], getJson: GetJson, timeoutMs: number): Promise<string[]> {
  let failure: Error | undefined;
  for (const list of lists) {
    try {
      return await askList(list, getJson, timeoutMs);
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  throw failure ?? new Error("The provider offers no list of models.");
}

async function askList({ query, connection }: ModelList, getJson: GetJson, timeoutMs: number): Promise<string[]> {
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
