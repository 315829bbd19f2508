import type { CallRegistry } from "./core/call-registry.ts";
import { type ChannelDependencies, registerChannelCalls } from "./features/channels/index.ts";
import { registerGroupCalls } from "./features/groups/index.ts";
import { registerLogCalls } from "./features/logs/index.ts";
import { type ModelCatalogue, registerModelCalls } from "./features/models/index.ts";
import { type LoadedOptionStore, registerOptionCalls } from "./features/options/index.ts";
import { endSessions, registerSessionCalls } from "./features/sessions/index.ts";
import { registerStatusCalls, type ServerFacts } from "./features/status/index.ts";
import { registerTokenCalls } from "./features/tokens/index.ts";
import { type PasswordHasher, registerUserCalls } from "./features/users/index.ts";

/** What features need beyond the context of each call. */
export interface CallDeps {
  readonly options: LoadedOptionStore;
  readonly hasher: PasswordHasher;
  readonly facts: ServerFacts;
  readonly channels: ChannelDependencies;
  readonly models: ModelCatalogue;
}

/** Every feature's calls, one line a feature. */
export function registerCalls(registry: CallRegistry, { options, hasher, facts, channels, models }: CallDeps): void {
  registerStatusCalls(registry, options, facts);
  registerSessionCalls(registry, { options, hasher });
  registerUserCalls(registry, { hasher, endSessions });
  registerGroupCalls(registry, options);
  registerOptionCalls(registry, options);
  registerTokenCalls(registry, options);
  registerChannelCalls(registry, channels);
  registerModelCalls(registry, models);
  registerLogCalls(registry);
}
