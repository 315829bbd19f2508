import type { listReceivers as listReceiversCall, Receiver } from "@one-api/contract/notifications/receiver";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import { findLastDelivery, listLastDeliveries } from "./delivery.repository.ts";
import { presentReceiver } from "./receiver.present.ts";
import { countReceivers, findReceiver, listReceiverRows } from "./receiver.repository.ts";
import { receiverNotFound } from "./save-receiver.ts";

export async function listReceivers(
  { database: { db }, secrets }: CallContext,
  query: z.output<typeof listReceiversCall.query>,
): Promise<Listed<Receiver>> {
  const receivers = await listReceiverRows(db, pageOf(query));
  const newest = new Map((await listLastDeliveries(db)).map((delivery) => [delivery.receiverId, delivery]));
  const rows = receivers.map((receiver) => presentReceiver(secrets, receiver, newest.get(receiver.id)));
  return { rows, total: await countReceivers(db) };
}

/** Throws `receiver-not-found`. */
export async function getReceiver({ database: { db }, secrets }: CallContext, id: number): Promise<Receiver> {
  const receiver = await findReceiver(db, id);
  if (receiver === undefined) throw receiverNotFound();
  return presentReceiver(secrets, receiver, await findLastDelivery(db, id));
}
