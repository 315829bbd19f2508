import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS, USER_LIMITS } from "@one-api/contract/accounts/user-constants";
import type { ForeignRow } from "@one-api/database/foreign/foreign-database";
import type { GatewayRules } from "./gateway-rules.ts";
import type { ImportFindings } from "./import-findings.ts";
import { flagOf, isDeleted, quotaOf, textOf, wholeOf } from "./old-row.ts";
import type { OldProduct, OldServer } from "./old-server.ts";
import type { PlannedSettings } from "./plan-settings.ts";

const NOUN = "user";
const MAX_EMAIL_LENGTH = 254;
const MAX_CODE_LENGTH = 32;

type BoundIdColumn = "github_id" | "lark_id" | "wechat_id" | "oidc_id";

/** An account to be written; ids do not change. */
export interface PlannedUser extends Record<BoundIdColumn, string> {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  /** By bcrypt; empty without a password. */
  readonly password_hash: string;
  readonly role: number;
  readonly status: number;
  readonly email: string;
  readonly group: string;
  readonly aff_code: string | null;
  readonly inviter_id: number | null;
  readonly created_at: number;
  readonly remaining: number;
  readonly used: number;
  readonly requests: number;
  /** Key of the authenticator app, in base32 and clear text; empty without one. */
  readonly totpKey: string;
}

/** Addresses of the sign-in providers, by the imported settings. */
type Addresses = Readonly<Record<BoundIdColumn, string>>;

type Rules = Pick<GatewayRules, "isBcryptHash" | "boundIdAt">;

interface Planning {
  readonly rules: Rules;
  readonly product: OldProduct;
  readonly addresses: Addresses;
  readonly findings: ImportFindings;
  /** Unique values of users so far: invitation codes and bound ids. */
  readonly taken: Set<string>;
  readonly emails: ReadonlyMap<string, number>;
  readonly totpKeys: ReadonlyMap<number, string>;
}

export function planUsers(
  old: OldServer,
  settings: PlannedSettings,
  { rules, findings }: { readonly rules: Rules; readonly findings: ImportFindings },
): Map<number, PlannedUser> {
  const addresses = addressesIn(settings);
  const emails = new Map(old.users.filter((row) => !isGone(row)).map((row) => [emailOf(row), wholeOf(row, "id")]));
  const planning = {
    rules,
    product: old.product,
    addresses,
    findings,
    taken: new Set<string>(),
    emails,
    totpKeys: totpKeysIn(old.apps),
  };
  const users = new Map<number, PlannedUser>();
  for (const row of old.users) {
    if (isGone(row)) findings.skipDeleted(NOUN);
    else {
      const user = planUser(row, planning);
      if (user !== undefined) users.set(user.id, user);
    }
  }
  for (const user of users.values())
    if (user.inviter_id !== null && !users.has(user.inviter_id)) users.set(user.id, { ...user, inviter_id: null });
  return users;
}

function addressesIn(settings: PlannedSettings): Addresses {
  return {
    github_id: OPTION_DEFINITIONS.GitHubAddress.default,
    lark_id: OPTION_DEFINITIONS.LarkAddress.default,
    wechat_id: settings.get("WeChatServerAddress") ?? "",
    oidc_id: settings.get("OidcIssuer") ?? "",
  };
}

function totpKeysIn(rows: readonly ForeignRow[]): Map<number, string> {
  const confirmed = rows.filter((row) => flagOf(row, "is_enabled") && !isDeleted(row));
  return new Map(confirmed.map((row) => [wholeOf(row, "user_id"), textOf(row, "secret")]));
}

/** True for users that are deleted: One API has a status for it, new-api a time. */
export function isGone(row: ForeignRow): boolean {
  return isDeleted(row) || wholeOf(row, "status") === USER_STATUS.deleted;
}

function planUser(row: ForeignRow, planning: Planning): PlannedUser | undefined {
  const { findings } = planning;
  const [id, username] = [wholeOf(row, "id"), textOf(row, "username")];
  const refusal = refusalOf(id, username, planning);
  if (refusal !== undefined) {
    findings.leaveOut(NOUN, username || `number ${id}`, refusal);
    return undefined;
  }
  const remaining = quotaOf(row, "quota");
  const debt = -wholeOf(row, "quota");
  if (debt > 0) findings.change(NOUN, username, `had ${debt} quota less than nothing, and begins with nothing`);
  return {
    id,
    username,
    display_name: textOf(row, "display_name").replaceAll(UNPRINTABLE, " ").slice(0, USER_LIMITS.nameLength) || username,
    password_hash: passwordHashOf(row, username, planning),
    role: roleOf(wholeOf(row, "role")),
    status: wholeOf(row, "status", 1) === USER_STATUS.enabled ? USER_STATUS.enabled : USER_STATUS.disabled,
    email: emailOf(row),
    ...bindingsOf(row, username, planning),
    group: textOf(row, "group").slice(0, USER_LIMITS.groupLength) || "default",
    aff_code: inviteCodeOf(row, planning),
    inviter_id: wholeOf(row, "inviter_id") || null,
    created_at: Math.max(0, wholeOf(row, "created_at")),
    remaining,
    used: Math.min(quotaOf(row, "used_quota"), Number.MAX_SAFE_INTEGER - remaining),
    requests: quotaOf(row, "request_count"),
    totpKey: totpKeyOf(id, username, planning),
  };
}

function refusalOf(id: number, username: string, { emails }: Planning): string | undefined {
  if (id <= 0) return "it has no id";
  if (username === "") return "it has no username";
  if (username.length > USER_LIMITS.nameLength)
    return `its username has more than ${USER_LIMITS.nameLength} characters`;
  if (username.search(UNPRINTABLE) >= 0) return "its username has control characters";
  const owner = emails.get(username.toLowerCase());
  if (username.includes("@") && owner !== undefined && owner !== id)
    return "its username is another user's e-mail address, and would take that login";
  return undefined;
}

function roleOf(role: number): number {
  if (role >= ROLE.root) return ROLE.root;
  return role >= ROLE.admin ? ROLE.admin : ROLE.user;
}

function emailOf(row: ForeignRow): string {
  const email = textOf(row, "email").toLowerCase();
  return email.length > MAX_EMAIL_LENGTH || email.search(UNPRINTABLE) >= 0 ? "" : email;
}

function passwordHashOf(row: ForeignRow, username: string, { rules, findings }: Planning): string {
  const hash = textOf(row, "password");
  if (hash === "" || rules.isBcryptHash(hash)) return hash;
  findings.change(NOUN, username, "its password is kept in an unknown form: it needs a new one");
  return "";
}

function totpKeyOf(id: number, username: string, { totpKeys, findings }: Planning): string {
  const key = totpKeys.get(id) ?? "";
  if (key === "" || /^[A-Z2-7]{16,128}$/.test(key)) return key;
  findings.change(NOUN, username, "has no second factor any more: its app's key could not be read");
  return "";
}

function inviteCodeOf(row: ForeignRow, { taken }: Planning): string | null {
  const code = textOf(row, "aff_code");
  const name = `code ${code}`;
  if (code === "" || code.length > MAX_CODE_LENGTH || taken.has(name)) return null;
  taken.add(name);
  return code;
}

const BOUND_NAMES: Readonly<Record<BoundIdColumn, string>> = {
  github_id: "GitHub",
  lark_id: "Lark",
  wechat_id: "WeChat",
  oidc_id: "OpenID Connect",
};

function bindingsOf(row: ForeignRow, username: string, planning: Planning): Record<BoundIdColumn, string> {
  const bound = (column: BoundIdColumn) => {
    const id = textOf(row, column);
    if (id === "") return "";
    const problem = bindingProblem(column, id, planning);
    if (problem === undefined) return planning.rules.boundIdAt(planning.addresses[column], id);
    planning.findings.change(NOUN, username, `is no longer bound at ${BOUND_NAMES[column]}: ${problem}`);
    return "";
  };
  return {
    github_id: bound("github_id"),
    lark_id: bound("lark_id"),
    wechat_id: bound("wechat_id"),
    oidc_id: bound("oidc_id"),
  };
}

/** Returns why an id cannot be bound; undefined if it can, and is then recorded as taken. */
function bindingProblem(
  column: BoundIdColumn,
  id: string,
  { product, addresses, taken }: Planning,
): string | undefined {
  // One API stores the login name, which another person may register later.
  if (column === "github_id" && (product === "One API" || !/^[1-9]\d*$/.test(id)))
    return "only a name was kept, and names there change hands";
  if (addresses[column] === "") return "no setting says which server that is";
  const name = `${column} ${id}`;
  if (!/^\S{1,128}$/.test(id) || taken.has(name)) return "the id there is another user's, or none";
  taken.add(name);
  return undefined;
}
