import type { ReceiverKind } from "@one-api/contract/notifications/notification-constants";
import { dingtalkSender } from "./dingtalk-sender.ts";
import { discordSender } from "./discord-sender.ts";
import { feishuSender } from "./feishu-sender.ts";
import type { Sender } from "./sender.ts";
import { slackSender } from "./slack-sender.ts";
import { telegramSender } from "./telegram-sender.ts";
import { webhookSender } from "./webhook-sender.ts";
import { wecomSender } from "./wecom-sender.ts";

export const SENDERS: Readonly<Record<Exclude<ReceiverKind, "mail">, Sender>> = {
  webhook: webhookSender,
  slack: slackSender,
  feishu: feishuSender,
  dingtalk: dingtalkSender,
  wecom: wecomSender,
  telegram: telegramSender,
  discord: discordSender,
};
