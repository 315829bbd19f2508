import * as calls from "@one-api/contract/audit";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList } from "../../core/lists/list-page.ts";
import { listOptionChanges } from "./list-option-changes.ts";
import { listOptionHistory, readOptionBefore } from "./list-option-history.ts";
import { getAuditSeal } from "./seals/check-audit.ts";
import { getAuditEntry, listAudit, type ObjectNames } from "./list-audit.ts";

export function registerAuditCalls(registry: CallRegistry, names: ObjectNames): void {
  registry.register(calls.listAudit, async ({ context, query, setTotal }) =>
    answerList(await listAudit(context, names, query), setTotal),
  );
  registry.register(calls.listOptionChanges, ({ context }) => listOptionChanges(context));
  registry.register(calls.listOptionHistory, ({ context, params }) => listOptionHistory(context, params.key));
  registry.register(calls.readOptionBefore, ({ context, params }) => readOptionBefore(context, params));
  registry.register(calls.getAuditSeal, ({ context }) => getAuditSeal(context.database));
  registry.register(calls.getAuditEntry, ({ context, params }) => getAuditEntry(context, names, params.id));
}
