import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { ModelPriceInDollars } from "@one-api/contract/prices/model-prices";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { ChangeFeed } from "../../core/change-feed.ts";
import { findListData, findListInUse } from "./price-list.repository.ts";

export interface ReadableList {
  readonly modelCount: number;
  readonly starts: readonly number[];
  priceOf(model: string, type: ChannelType | undefined): ModelPriceInDollars | undefined;
  use(): void;
}

export interface PriceListReader {
  readonly builtIn: ReadableList;
  /** `data` is the part to store. Throws for an invalid list. */
  read(json: unknown): Promise<{ readonly list: ReadableList; readonly data: unknown }>;
}

interface PriceListInUse {
  readonly version: string;
  readonly fetchedAt: number;
  readonly program: string;
  readonly list: ReadableList;
}

export interface PriceLists {
  inUse(): PriceListInUse;
  load(): Promise<void>;
}

interface PriceListDeps {
  readonly database: OpenDatabase;
  readonly changes: ChangeFeed;
  readonly reader: PriceListReader;
  readonly log: Logger;
}

/** Uses the database's price list, now and after each change by any server. */
export async function followPriceList({ database, changes, reader, log }: PriceListDeps): Promise<PriceLists> {
  const builtIn: PriceListInUse = { version: "", fetchedAt: 0, program: "", list: reader.builtIn };
  let current = builtIn;
  let newestLoad = 0;
  const find = async (): Promise<PriceListInUse> => {
    const row = await findListInUse(database.db);
    if (row === undefined) return builtIn;
    const { version, fetched_at: fetchedAt, program } = row;
    const known = { version, fetchedAt, program };
    if (version === current.version) return { ...known, list: current.list };
    const data = (await findListData(database.db, version)) ?? "[]";
    return { ...known, list: (await reader.read(JSON.parse(data))).list };
  };
  const load = async () => {
    newestLoad += 1;
    const ordinal = newestLoad;
    const found = await find();
    // A later load has newer data.
    if (ordinal !== newestLoad) return;
    const isOther = found.list !== current.list;
    current = found;
    if (!isOther) return;
    found.list.use();
    // The channel cache contains prices.
    changes.announce("channels");
  };
  const tryLoad = () =>
    load().catch((error: unknown) =>
      log.error({ err: error }, "the price list could not be loaded; the one before it stays"),
    );
  await tryLoad();
  changes.subscribe("options", () => void tryLoad());
  return { inUse: () => current, load };
}
