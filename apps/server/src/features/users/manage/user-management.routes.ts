import {
  clearBinding as clearBindingCall,
  countBindings as countBindingsCall,
} from "@one-api/contract/accounts/binding";
import * as calls from "@one-api/contract/accounts/user-management";
import type { CallRegistry } from "../../../core/call-registry.ts";
import { answerList } from "../../../core/lists/list-page.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import type { PasswordHasher } from "../password-hasher.ts";
import type { AccountEnd } from "../close-account.ts";
import { countBindings } from "../provider-addresses.ts";
import { clearBinding } from "./clear-binding.ts";
import { createUser } from "./create-user.ts";
import { getUser, listTokensOfUser, searchUsers } from "./list-users.ts";
import { manageUser } from "./manage-user.ts";
import { topUpUser } from "./top-up-user.ts";
import type { RequireProof } from "../update-self.ts";
import { updateUser } from "./update-user.ts";

interface UserManagementDeps extends AccountEnd {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
  readonly hasher: PasswordHasher;
  readonly requireProof: RequireProof;
}

export function registerUserManagementCalls(registry: CallRegistry, deps: UserManagementDeps): void {
  const { options } = deps;
  registry.register(calls.listUsers, async ({ context, query, setTotal }) =>
    answerList(await searchUsers(context, options, { ...query, keyword: "" }), setTotal),
  );
  registry.register(calls.searchUsers, async ({ context, query, setTotal }) =>
    answerList(await searchUsers(context, options, query), setTotal),
  );
  registry.register(calls.getUser, ({ context, params }) => getUser(context, options, params.id));
  registry.register(calls.createUser, ({ context, body }) => createUser(context, body, deps));
  registry.register(calls.updateUser, ({ context, body, cookie }) =>
    updateUser(context, body, { ...deps, sessionId: cookie.value }),
  );
  registry.register(calls.topUpUser, async ({ context, body }) => {
    await topUpUser(context, body, deps);
    return null;
  });
  registry.register(calls.manageUser, ({ context, body }) => manageUser(context, body, deps));
  registry.register(countBindingsCall, ({ context }) => countBindings(context.database.db, options));
  registry.register(clearBindingCall, async ({ context, params }) => {
    await clearBinding(context, params, deps);
    return null;
  });
  registry.register(calls.listTokensOfUser, async ({ context, params, query, setTotal }) =>
    answerList(await listTokensOfUser(context, options, params, query), setTotal),
  );
}
