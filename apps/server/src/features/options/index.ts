export { checkOptionNeeds } from "./check-option-needs.ts";
export { changeMasterKey, findMasterKey, followMasterKey, hasMasterKey, masterKeyFits } from "./check-master-key.ts";
export { createOptionStore, isSecretOption, type LoadedOptionStore } from "./create-option-store.ts";
export { createWriteCheck } from "./create-write-check.ts";
export { describeQuota } from "./describe-quota.ts";
export { registerOptionCalls } from "./option.routes.ts";
export { renewOptionsVersion, saveOption } from "./option.repository.ts";
export { readOption } from "./read-option.ts";
