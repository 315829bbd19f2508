import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { ListedParts } from "@one-api/contract/prices/price-list";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { ChangeFeed } from "../../core/change-feed.ts";
import { findListData, findListInUse } from "./price-list.repository.ts";

/** A maintained list of prices that was read. */
export interface ReadableList {
  readonly modelCount: number;
  /** Undefined for a model that the list does not know. */
  priceOf(model: string, type: ChannelType | undefined): ListedParts | undefined;
  /** Prices are taken from it from now on. */
  use(): void;
}

/** What there is to know of price lists, from whoever reads them. */
export interface PriceListReader {
  readonly builtIn: ReadableList;
  /** Reads a list; `data` is what of it needs to be kept. Throws for what is none. */
  read(json: unknown): Promise<{ readonly list: ReadableList; readonly data: unknown }>;
}

/** The list in use in this process. */
interface KeptPriceList {
  readonly version: string;
  readonly fetchedAt: number;
  readonly program: string;
  readonly list: ReadableList;
}

export interface PriceListKeeper {
  inUse(): KeptPriceList;
  /** Takes the list that the database names, if it is another one. */
  load(): Promise<void>;
}

interface KeeperParts {
  readonly database: OpenDatabase;
  readonly changes: ChangeFeed;
  readonly reader: PriceListReader;
  readonly log: Logger;
}

/** Uses the price list that is in use in the database, now and after each change of it, by whichever server. */
export async function keepPriceList({ database, changes, reader, log }: KeeperParts): Promise<PriceListKeeper> {
  const own: KeptPriceList = { version: "", fetchedAt: 0, program: "", list: reader.builtIn };
  let kept = own;
  let newestLoad = 0;
  const find = async (): Promise<KeptPriceList> => {
    const row = await findListInUse(database.db);
    if (row === undefined) return own;
    const { version, fetched_at: fetchedAt, program } = row;
    const known = { version, fetchedAt, program };
    if (version === kept.version) return { ...known, list: kept.list };
    const data = (await findListData(database.db, version)) ?? "[]";
    return { ...known, list: (await reader.read(JSON.parse(data))).list };
  };
  const load = async () => {
    newestLoad += 1;
    const turn = newestLoad;
    const found = await find();
    // Two loads may overtake each other: the later one knows more.
    if (turn !== newestLoad) return;
    const isOther = found.list !== kept.list;
    kept = found;
    if (!isOther) return;
    found.list.use();
    // Prices are kept with the channels that they were found for.
    changes.announce("channels");
  };
  const tryLoad = () =>
    load().catch((error: unknown) =>
      log.error({ err: error }, "the price list could not be loaded; the one before it stays"),
    );
  await tryLoad();
  changes.subscribe("options", () => void tryLoad());
  return { inUse: () => kept, load };
}
