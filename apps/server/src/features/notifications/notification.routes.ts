import * as calls from "@one-api/contract/notifications/receiver";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList, pageOf } from "../../core/lists/list-page.ts";
import { countDeliveries, listDeliveryRows } from "./delivery.repository.ts";
import { getReceiver, listReceivers } from "./list-receivers.ts";
import { presentDelivery } from "./receiver.present.ts";
import { createReceiver, deleteReceiver, updateReceiver } from "./save-receiver.ts";
import type { SendDeps } from "./send-notice.ts";
import { testReceiver } from "./test-receiver.ts";

export function registerNotificationCalls(registry: CallRegistry, deps: Omit<SendDeps, "secrets">): void {
  registry.register(calls.listReceivers, async ({ context, query, setTotal }) =>
    answerList(await listReceivers(context, query), setTotal),
  );
  registry.register(calls.getReceiver, ({ context, params }) => getReceiver(context, params.id));
  registry.register(calls.createReceiver, ({ context, body }) => createReceiver(context, body));
  registry.register(calls.updateReceiver, ({ context, body }) => updateReceiver(context, body));
  registry.register(calls.deleteReceiver, async ({ context, params }) => {
    await deleteReceiver(context, params.id);
    return null;
  });
  registry.register(calls.testReceiver, async ({ context, params }) => {
    await testReceiver(context, { ...deps, secrets: context.secrets }, params.id);
    return null;
  });
  registry.register(calls.listDeliveries, async ({ context: { database }, query, setTotal }) => {
    const rows = (await listDeliveryRows(database.db, query, pageOf(query))).map(presentDelivery);
    return answerList({ rows, total: await countDeliveries(database.db, query) }, setTotal);
  });
}
