import { isAdmin } from "@one-api/contract/accounts/roles";
import { AppError } from "../../core/app-error.ts";
import type { Actor } from "../../core/actor.ts";
import type { NewAlertRule } from "./alert-rule.repository.ts";

export function alertRuleNotFound(): AppError {
  return new AppError("alert-rule-not-found", "This alert does not exist or was deleted.");
}

/** True if a user of the role may watch this: others' usage, margins and receivers are for administrators. */
export function mayWatch({ userId, metric, receiverId, filter }: NewAlertRule, role: number): boolean {
  if (isAdmin(role)) return true;
  return metric !== "margin" && receiverId === 0 && filter.userId === userId && filter.channelId === 0;
}

/** True for the owner's own rules; for administrators also for those of others that use a receiver. */
export function maySee({ id, role }: Pick<Actor, "id" | "role">, rule: Pick<NewAlertRule, "userId" | "receiverId">) {
  return rule.userId === id || (isAdmin(role) && rule.receiverId !== 0);
}
