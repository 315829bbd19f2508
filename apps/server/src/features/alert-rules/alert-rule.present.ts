import type { AlertRule } from "@one-api/contract/notifications/alert-rule";
import type { NamedAlertRule } from "./alert-rule.repository.ts";

/** `viewerId` is the id of the user who sees it. */
export function presentAlertRule(rule: NamedAlertRule, viewerId: number): AlertRule {
  const { id, metric, direction, threshold, windowMinutes, receiverId, filter } = rule;
  return {
    id,
    metric,
    direction,
    threshold,
    window_minutes: windowMinutes,
    receiver: receiverId,
    user: filter.userId,
    channel: filter.channelId,
    model_name: filter.modelName,
    token_name: filter.tokenName,
    alias: filter.alias,
    username: rule.username,
    channel_name: rule.channelName,
    receiver_name: rule.receiverName,
    owner: rule.owner,
    is_own: rule.userId === viewerId,
    crossed_at: rule.crossedAt,
  };
}
