import type { InvitationState } from "@one-api/contract/accounts/invitation-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Insertable, type Selectable, type SqlBool, sql } from "kysely";
import { countRows, type ListPage } from "../../core/lists/list-page.ts";
import { containsKeyword, everyCondition } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";

const INVITATION_COLUMNS = [
  "invitations.id",
  "invitations.name",
  "invitations.code_cipher",
  "invitations.group",
  "invitations.quota",
  "invitations.created_at",
  "invitations.expires_at",
  "invitations.used_at",
] as const;

export interface InvitationRow extends Pick<
  Selectable<Tables["invitations"]>,
  "id" | "name" | "code_cipher" | "group" | "quota" | "created_at" | "expires_at" | "used_at"
> {
  readonly created_by: string | null;
  readonly used_by: string | null;
}

export interface InvitationFilter {
  readonly keyword: string;
  readonly state: InvitationState;
  readonly now: number;
}

export function listInvitationRows(
  queryable: Queryable,
  filter: InvitationFilter,
  { limit, offset }: ListPage,
): Promise<InvitationRow[]> {
  return fromInvitations(queryable, filter)
    .select(INVITATION_COLUMNS)
    .select(["makers.username as created_by", "guests.username as used_by"])
    .orderBy("invitations.id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

export function countInvitations(queryable: Queryable, filter: InvitationFilter): Promise<number> {
  return countRows(fromInvitations(queryable, filter));
}

function fromInvitations(queryable: Queryable, filter: InvitationFilter) {
  return queryable
    .selectFrom("invitations")
    .leftJoin("users as makers", (join) =>
      join.onRef("makers.id", "=", "invitations.created_by").on("makers.status", "!=", USER_STATUS.deleted),
    )
    .leftJoin("users as guests", (join) =>
      join.onRef("guests.id", "=", "invitations.used_by").on("guests.status", "!=", USER_STATUS.deleted),
    )
    .where(matches(filter));
}

function matches({ keyword, state, now }: InvitationFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  if (state === "used") conditions.push(sql<SqlBool>`invitations.used_at > 0`);
  if (state === "open") conditions.push(sql<SqlBool>`invitations.used_at = 0 and invitations.expires_at > ${now}`);
  if (state === "expired") conditions.push(sql<SqlBool>`invitations.used_at = 0 and invitations.expires_at <= ${now}`);
  if (keyword !== "") conditions.push(containsKeyword(["invitations.name", "guests.username"], keyword));
  return everyCondition(conditions);
}

export async function insertInvitations(
  queryable: Queryable,
  invitations: readonly Omit<Insertable<Tables["invitations"]>, "id">[],
): Promise<number[]> {
  const rows = await queryable.insertInto("invitations").values(invitations).returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Marks the open invitation with the lookup value as used and returns it; undefined if there is none. */
export function markInvitationUsed(transaction: Queryable, lookup: string, now: number) {
  return transaction
    .updateTable("invitations")
    .set({ used_at: now })
    .where("code_hmac", "=", lookup)
    .where("used_at", "=", 0)
    .where("expires_at", ">", now)
    .returning(["id", "group", "quota"])
    .executeTakeFirst();
}

/** The open invitation with the lookup value, and its maker's display name, else the username; undefined if there is none. */
export function findOpenInvitationRow(queryable: Queryable, lookup: string, now: number) {
  return queryable
    .selectFrom("invitations")
    .leftJoin("users as makers", (join) =>
      join.onRef("makers.id", "=", "invitations.created_by").on("makers.status", "!=", USER_STATUS.deleted),
    )
    .select(["invitations.expires_at", "invitations.quota"])
    .select(sql<string | null>`coalesce(nullif(makers.display_name, ''), makers.username)`.as("invited_by"))
    .where("code_hmac", "=", lookup)
    .where("used_at", "=", 0)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

export async function setInvited(transaction: Queryable, id: number, userId: number): Promise<void> {
  await transaction.updateTable("invitations").set({ used_by: userId }).where("id", "=", id).execute();
}

/** Time of the invitation's use, 0 if unused; undefined if there is no such invitation. */
export async function findInvitationUse(queryable: Queryable, id: number): Promise<number | undefined> {
  const row = await queryable.selectFrom("invitations").select("used_at").where("id", "=", id).executeTakeFirst();
  return row?.used_at;
}

export function deleteUnusedInvitation(queryable: Queryable, id: number) {
  return queryable
    .deleteFrom("invitations")
    .where("id", "=", id)
    .where("used_at", "=", 0)
    .returning(["name", "group", "quota"])
    .executeTakeFirst();
}
