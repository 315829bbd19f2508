import type { CallRegistry } from "./core/call-registry.ts";
import { createFileExports } from "./core/exports/file-exports.ts";
import { registerAuditCalls } from "./features/audit/index.ts";
import {
  type ChannelDependencies,
  nameChannels,
  registerChannelCalls,
  suggestChannels,
} from "./features/channels/index.ts";
import { registerAlertRuleCalls } from "./features/alert-rules/index.ts";
import { registerBudgetCalls } from "./features/budgets/index.ts";
import { registerConfigurationCalls } from "./features/configuration/index.ts";
import { registerDashboardCalls } from "./features/dashboard/index.ts";
import { requireRootSignIn, registerFactorCalls, removeFactors, requireFreshProof } from "./features/factors/index.ts";
import { registerInvitationCalls } from "./features/invitations/index.ts";
import { registerLimitUseCalls } from "./features/limit-use/index.ts";
import { createGroupLimits } from "./features/limits/index.ts";
import { type LogClearings, registerLogCalls } from "./features/logs/index.ts";
import { type Mailer, type MessagePusher, registerMailCalls } from "./features/mail/index.ts";
import { postNotice, registerNotificationCalls } from "./features/notifications/index.ts";
import { createModelAliases } from "./features/model-aliases/index.ts";
import { registerModelCalls } from "./features/models/index.ts";
import { registerOAuthCalls } from "./features/oauth/index.ts";
import { type LoadedOptionStore, registerOptionCalls } from "./features/options/index.ts";
import { registerPlaygroundCalls } from "./features/playground/index.ts";
import { type PriceListDependencies, registerPricingCalls } from "./features/pricing/index.ts";
import { registerProxyCalls } from "./features/proxy/index.ts";
import { registerRedemptionCalls } from "./features/redemptions/index.ts";
import { registerRegistrationCalls } from "./features/registration/index.ts";
import { endSessions, registerSessionCalls } from "./features/sessions/index.ts";
import { registerStatusPageCalls } from "./features/status-page/index.ts";
import { type ServerFacts, registerStatusCalls } from "./features/status/index.ts";
import { registerTokenCalls } from "./features/tokens/index.ts";
import {
  type PasswordHasher,
  describeLostBindings,
  registerManagementKeyCalls,
  registerUserCalls,
  registerUserManagementCalls,
} from "./features/users/index.ts";
import { registerSystemCalls, type SystemParts } from "./features/system/index.ts";
import { registerViewCalls } from "./features/views/index.ts";
import { registerWhatIfCalls } from "./features/what-if/index.ts";
import { chatFacts, modelCatalogue } from "./provider-facts.ts";
import type { Relay } from "./relay/create-relay.ts";
import type { Logger } from "pino";
import type { Redis } from "./platform/redis.ts";

interface CallDeps {
  readonly options: LoadedOptionStore;
  readonly hasher: PasswordHasher;
  readonly facts: ServerFacts;
  readonly system: SystemParts;
  readonly channels: ChannelDependencies;
  readonly relay: Relay;
  readonly pricing: PriceListDependencies;
  readonly log: Logger;
  readonly mailer: Mailer;
  readonly pusher: MessagePusher;
  readonly redis: Redis | undefined;
  readonly clearings: LogClearings;
}

export function registerCalls(registry: CallRegistry, deps: CallDeps): void {
  const { options, hasher, facts, channels, relay, log, mailer, pusher } = deps;
  const { quota } = relay.services.ledger;
  registerStatusCalls(registry, options, facts);
  registerSessionCalls(registry, { options, hasher });
  registerUserCalls(registry, { options, hasher, endSessions, requireProof: requireFreshProof });
  registerManagementKeyCalls(registry, { options, requireProof: requireFreshProof });
  registerUserManagementCalls(registry, {
    options,
    hasher,
    endSessions,
    removeFactors,
    requireProof: requireFreshProof,
    ledger: quota,
  });
  registerFactorCalls(registry, { options, hasher, endSessions });
  registerRegistrationCalls(registry, { options, hasher, ledger: quota, mailer, log });
  registerOAuthCalls(registry, { options, ledger: quota });
  registerInvitationCalls(registry, options);
  const optionDeps = {
    options,
    describeChange: describeLostBindings,
    checkChange: requireRootSignIn,
    hasRedis: deps.redis !== undefined,
  };
  registerOptionCalls(registry, optionDeps);
  registerConfigurationCalls(registry, { ...optionDeps, cooldowns: channels.cooldowns, ledger: quota });
  registerMailCalls(registry, { options, mailer, pusher });
  registerAlertRuleCalls(registry, options);
  registerNotificationCalls(registry, { options, mailer, post: postNotice });
  registerProxyCalls(registry, options);
  registerTokenCalls(registry, { options, ledger: quota, mailer });
  registerRedemptionCalls(registry, { options, ledger: quota });
  registerChannelCalls(registry, channels);
  registerModelCalls(registry, modelCatalogue);
  registerPlaygroundCalls(registry, chatFacts);
  registerPricingCalls(registry, {
    ...deps.pricing,
    listPrices: relay.listPrices,
    findUnpriced: relay.findUnpriced,
    priceOf: relay.priceOf,
  });
  registerWhatIfCalls(registry, {
    options,
    aliases: createModelAliases(options),
    catalogue: modelCatalogue,
    priceOf: relay.priceOf,
    foreseeShares: relay.foreseeShares,
  });
  registerBudgetCalls(registry, { ledger: quota, options });
  registerLimitUseCalls(registry, {
    readCounters: (subjects) => relay.services.limiter.read(subjects),
    findGroupLimits: createGroupLimits(options),
  });
  const exports = createFileExports(() => relay.services.inFlight.isDraining);
  registerLogCalls(registry, {
    nameChannels,
    suggestChannels,
    clearings: deps.clearings,
    exports,
  });
  registerStatusPageCalls(registry, options);
  registerSystemCalls(registry, deps.system);
  registerViewCalls(registry);
  registerDashboardCalls(registry, { options, cooldowns: relay.cooldowns, findRefused: relay.findRefused });
  registerAuditCalls(registry, exports);
}
