import type { LimitUse, readLimitUse as readLimitUseCall } from "@one-api/contract/limits/limit-use";
import { splitList } from "@one-api/contract/texts";
import type { z } from "zod";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type FindGroupLimits, type LimitedSubject, limitsOf, limitsOfAccount, type Rule } from "../limits/index.ts";
import { listTokenLimits } from "../tokens/index.ts";
import { groupsOfUser } from "../../core/actor.ts";
import { findUser } from "../users/index.ts";

interface CountedRule {
  readonly subject: LimitedSubject;
  readonly rule: Rule;
  readonly used: number;
  readonly resetSeconds: number;
}

export interface CountedLimits {
  readonly countsAllServers: boolean;
  readonly servers: number;
  readonly states: readonly CountedRule[];
}

type ReadCounters = (subjects: readonly LimitedSubject[]) => Promise<CountedLimits>;

export interface LimitUseDeps {
  readonly readCounters: ReadCounters;
  readonly findGroupLimits: FindGroupLimits;
}

/** Ids of other users' tokens are left out. */
export async function readLimitUse(
  context: CallContext,
  { readCounters, findGroupLimits }: LimitUseDeps,
  { tokens: ids }: z.output<(typeof readLimitUseCall)["query"]>,
): Promise<z.input<(typeof readLimitUseCall)["data"]>> {
  const { db } = context.database;
  const { id } = requireActor(context);
  const row = await findUser(db, id);
  const tokens = await listTokenLimits(db, id, splitList(ids).map(Number));
  const account = row && limitsOfAccount({ id, limits: row, group: findGroupLimits(groupsOfUser(row.group)) });
  const subjects = [...(account?.subjects ?? []), ...(account?.models.values() ?? [])];
  const ofTokens = tokens.map((token) => ({ id: token.id, subjects: limitsOf(token)?.subjects ?? [] }));
  const counted = await readCounters([...subjects, ...ofTokens.flatMap((token) => token.subjects)]);
  const usesOf = (some: readonly LimitedSubject[]) =>
    counted.states.filter(({ subject }) => some.includes(subject)).map(presentUse);
  return {
    counts_all_servers: counted.countsAllServers,
    servers: counted.servers,
    account: usesOf(subjects),
    tokens: ofTokens.map((token) => ({ id: token.id, limits: usesOf(token.subjects) })),
  };
}

function presentUse({ subject, rule, used, resetSeconds }: CountedRule): LimitUse {
  return { field: rule.field, model: subject.model, limit: rule.limit, used, resets_in: resetSeconds };
}
