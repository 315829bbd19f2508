import * as calls from "@one-api/contract/configuration/configuration";
import type { CallRegistry } from "../../core/call-registry.ts";
import { applyConfiguration, type ConfigurationDeps, planConfiguration } from "./apply-configuration.ts";
import { exportConfiguration } from "./export-configuration.ts";

export function registerConfigurationCalls(registry: CallRegistry, deps: ConfigurationDeps): void {
  registry.register(calls.exportConfiguration, ({ context }) => exportConfiguration(context, deps.options));
  registry.register(calls.planConfiguration, ({ context, body }) =>
    planConfiguration(context, deps, body.configuration),
  );
  registry.register(calls.applyConfiguration, ({ context, body }) =>
    applyConfiguration(context, deps, { configuration: body.configuration, allowDeletions: body.allow_deletions }),
  );
}
