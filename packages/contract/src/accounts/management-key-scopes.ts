import type { Call } from "../call.ts";
import type { KeyArea, KeyScope } from "./management-key-constants.ts";

/** The area of the calls below each path. The longest path decides. */
const AREA_OF_PATH: Readonly<Record<string, KeyArea>> = {
  "/api/audit": "audit",
  "/api/channel": "channels",
  "/api/configuration": "configuration",
  "/api/dashboard": "usage",
  "/api/group": "models",
  "/api/invitation": "invitations",
  "/api/limit": "tokens",
  "/api/log": "logs",
  "/api/log/:id/bodies": "bodies",
  "/api/log/self/:id/bodies": "bodies",
  "/api/models": "models",
  "/api/option": "options",
  "/api/playground": "tokens",
  "/api/pricing": "models",
  "/api/receiver": "notifications",
  "/api/redemption": "redemptions",
  "/api/system": "system",
  "/api/token": "tokens",
  "/api/topup": "users",
  "/api/update": "system",
  "/api/user": "users",
  "/api/user/available_models": "models",
  "/api/user/dashboard": "usage",
  "/api/what-if": "usage",
};

const ACCOUNT = "it concerns the account of the person who calls";
const SIGN_IN = "it is a part of signing in";
const OPEN = "it is open to everybody";

/** The calls below each path that no key may make, with the reason. */
const WITHOUT_SCOPE: Readonly<Record<string, string>> = {
  "/api/about": OPEN,
  "/api/availability": OPEN,
  "/api/home_page_content": OPEN,
  "/api/management-key": "a key must not create or change keys",
  "/api/notice": OPEN,
  "/api/oauth": SIGN_IN,
  "/api/reset_password": SIGN_IN,
  "/api/status": OPEN,
  "/api/user/aff": ACCOUNT,
  "/api/user/factors": ACCOUNT,
  "/api/user/invitation": SIGN_IN,
  "/api/user/login": SIGN_IN,
  "/api/user/logout": SIGN_IN,
  "/api/user/register": SIGN_IN,
  "/api/user/reset": SIGN_IN,
  "/api/user/self": ACCOUNT,
  "/api/user/sessions": ACCOUNT,
  "/api/user/token": ACCOUNT,
  "/api/user/topup": ACCOUNT,
  "/api/verification": SIGN_IN,
  "/api/view": "it concerns the console of the person who calls",
};

export type CallScope = { readonly scope: KeyScope } | { readonly reason: string };

/** Throws for a call of an unknown path: every call has a scope or a reason. */
export function scopeOf({ path, changesState }: Pick<Call, "path" | "changesState">): CallScope {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const beginning = path.slice(0, end).replace(/\/$/, "");
    const area = AREA_OF_PATH[beginning];
    if (area !== undefined) return { scope: `${area}:${changesState ? "write" : "read"}` };
    const reason = WITHOUT_SCOPE[beginning];
    if (reason !== undefined) return { reason };
  }
  throw new Error(`The call ${path} has no area for management keys.`);
}

export function hasScope(scopes: readonly KeyScope[], scope: KeyScope): boolean {
  return scopes.some((own) => own === scope || own === scope.replace(/:read$/, ":write"));
}
