import * as calls from "@one-api/contract/notifications/alert-rule";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { listAlertRules, listTargets } from "./list-alert-rules.ts";
import { changeAlertRule, createAlertRule, deleteAlertRule } from "./save-alert-rule.ts";

export function registerAlertRuleCalls(registry: CallRegistry, options: OptionStore): void {
  registry.register(calls.listAlertRules, ({ context }) => listAlertRules(context));
  registry.register(calls.listAlertTargets, ({ context }) => listTargets(context, options));
  registry.register(calls.createAlertRule, ({ context, body }) => createAlertRule(context, body));
  registry.register(calls.updateAlertRule, ({ context, body }) => changeAlertRule(context, body));
  registry.register(calls.deleteAlertRule, async ({ context, params }) => {
    await deleteAlertRule(context, params.id);
    return null;
  });
}
