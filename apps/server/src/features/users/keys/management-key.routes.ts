import * as calls from "@one-api/contract/accounts/management-key";
import { requireActor } from "../../../core/call-context.ts";
import type { CallRegistry } from "../../../core/call-registry.ts";
import { answerList, pageOf } from "../../../core/lists/list-page.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { presentManagementKey } from "./management-key.present.ts";
import { countManagementKeys, listManagementKeyRows } from "./management-key.repository.ts";
import {
  createManagementKey,
  getManagementKey,
  type KeyDeps,
  keysFor,
  revokeManagementKey,
  rotateManagementKey,
  updateManagementKey,
} from "./save-management-key.ts";

export function registerManagementKeyCalls(registry: CallRegistry, deps: Omit<KeyDeps, "sessionId">): void {
  registry.register(calls.listManagementKeys, async ({ context, query, setTotal }) => {
    const actor = requireActor(context);
    const { db } = context.database;
    const rows = await listManagementKeyRows(db, keysFor(actor), pageOf(query));
    const keys = rows.map((row) => presentManagementKey(row, actor, nowSeconds(context.clock)));
    return answerList({ rows: keys, total: await countManagementKeys(db, keysFor(actor)) }, setTotal);
  });
  registry.register(calls.getManagementKey, ({ context, params }) => getManagementKey(context, params.id));
  registry.register(calls.updateManagementKey, ({ context, params, body, cookie }) =>
    updateManagementKey(context, params.id, body, { ...deps, sessionId: cookie.value }),
  );
  registry.register(calls.createManagementKey, ({ context, body, cookie }) =>
    createManagementKey(context, body, { ...deps, sessionId: cookie.value }),
  );
  registry.register(calls.rotateManagementKey, ({ context, params, body, cookie }) => {
    const rotation = { id: params.id, overlapSeconds: body.overlap_seconds };
    return rotateManagementKey(context, rotation, { ...deps, sessionId: cookie.value });
  });
  registry.register(calls.revokeManagementKey, async ({ context, params }) => {
    await revokeManagementKey(context, params.id);
    return null;
  });
}
