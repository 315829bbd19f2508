import * as calls from "@one-api/contract/audit";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { FileExports } from "../../core/exports/file-exports.ts";
import { answerList } from "../../core/lists/list-page.ts";
import { listOptionChanges } from "./list-option-changes.ts";
import { listOptionHistory, readOptionBefore } from "./list-option-history.ts";
import { getAuditSeal } from "./seals/check-audit.ts";
import { exportAudit } from "./export-audit.ts";
import { getAuditEntry, listAudit, listAuditObjects } from "./list-audit.ts";

export function registerAuditCalls(registry: CallRegistry, exports: FileExports): void {
  registry.register(calls.listAudit, async ({ context, query, setTotal }) =>
    answerList(await listAudit(context, query), setTotal),
  );
  registry.registerDownload(calls.exportAudit, ({ context, query }) => exportAudit(context, exports, query));
  registry.register(calls.listAuditObjects, ({ context, query }) => listAuditObjects(context, query));
  registry.register(calls.listOptionChanges, ({ context }) => listOptionChanges(context));
  registry.register(calls.listOptionHistory, ({ context, params }) => listOptionHistory(context, params.key));
  registry.register(calls.readOptionBefore, ({ context, params }) => readOptionBefore(context, params));
  registry.register(calls.getAuditSeal, ({ context }) => getAuditSeal(context.database));
  registry.register(calls.getAuditEntry, ({ context, params }) => getAuditEntry(context, params.id));
}
