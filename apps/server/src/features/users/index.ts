export { authenticateAccessToken } from "./authenticate-access-token.ts";
export { authenticateManagementKey } from "./keys/authenticate-management-key.ts";
export { revokeManagementKeysOf } from "./keys/management-key.repository.ts";
export { registerManagementKeyCalls } from "./keys/management-key.routes.ts";
export { createRoot, type FirstLogin } from "./create-root.ts";
export { createPasswordHasher, isBcryptHash, type PasswordHasher } from "./password-hasher.ts";
export { presentSessionUser } from "./user.present.ts";
export {
  findUser,
  findUserForLogin,
  findUserIdOf,
  hasDefaultPassword,
  insertUser,
  listModelsOfGroups,
  listUsersByGroup,
  type LoginRow,
  nameUsers,
  PROTECTED_ADMIN,
  replacePasswordHash,
} from "./user.repository.ts";
export { registerUserCalls } from "./user.routes.ts";
export { registerUserManagementCalls } from "./manage/user-management.routes.ts";
export {
  type BoundIdColumn,
  changeAccount,
  findAccount,
  findInviteCode,
  findInviter,
  findUserByBoundId,
  findUsersByEmail,
  lockBoundAccount,
  lockRoot,
  setInviteCode,
} from "./account.repository.ts";
export { boundIdAt, describeLostBindings, providerAddress } from "./provider-addresses.ts";
export { nameOfProvider, notifyOfUnbinding, notifyOwner } from "./notices/notify-owner.ts";
export { addNewUser } from "./add-new-user.ts";
export { rememberAllIdentities, rememberIdentities } from "./rewards/known-identities.ts";
export { hasSignInMethod, lastSignInMethod } from "./sign-in-methods.ts";
export { checkGroups } from "./check-groups.ts";
export { checkNames, storingUsername } from "./check-names.ts";
export { closeAccount } from "./close-account.ts";
export { checkMayManage, userNotFound } from "./manage/managed-user.policy.ts";
export { lockUser } from "./manage/managed-user.repository.ts";
export type { EndSessions } from "./update-self.ts";
export { findRootContact, listShortUsers } from "./reminders/low-quota.repository.ts";
export { remindLowQuota } from "./reminders/remind-low-quota.ts";
