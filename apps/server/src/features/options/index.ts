export { hasMasterKey, masterKeyFits, masterKeyOpens } from "./check-master-key.ts";
export { createOptionStore, type LoadedOptionStore } from "./create-option-store.ts";
export { describeQuota } from "./describe-quota.ts";
export { keepOptions } from "./keep-options.ts";
export { registerOptionCalls } from "./option.routes.ts";
export { renewOptionsVersion } from "./option.repository.ts";
