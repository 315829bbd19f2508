import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { MailMessage } from "../../mail/index.ts";
import { dingtalkSender } from "./dingtalk-sender.ts";
import { feishuSender } from "./feishu-sender.ts";
import type { Notice, OutgoingRequest } from "./sender.ts";
import { SENDERS } from "./senders.ts";
import { telegramSender } from "./telegram-sender.ts";
import { signWebhook } from "./webhook-sender.ts";

const NOW = 1_700_000_000;
const contentSchema = z.object({ content: z.string() });
const bodySchema = z.record(z.string(), z.unknown());

const bodyOf = ({ body }: OutgoingRequest) => bodySchema.parse(JSON.parse(body));

/** `count` alerts with lines of a hundred characters. */
function notice(count: number, line = "x".repeat(100)): Notice {
  const alerts = Array.from({ length: count }, () => ({ kind: "channel-disabled", at: NOW, text: line, facts: {} }));
  const messageWith = (most: number): MailMessage => ({
    language: "zh-CN",
    subject: "News",
    blocks: [
      { list: alerts.slice(0, most).map(({ text }) => text) },
      ...(most < count ? [{ text: `${count - most} more` }] : []),
      { label: "See", link: "https://gateway.example/channel" },
    ],
  });
  return { id: "alert_1_1700000000", createdAt: NOW, alerts, count, messageWith };
}

test("webhooks are signed like the example of the Standard Webhooks libraries", () => {
  const signature = signWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  });
  assert.equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("Feishu and DingTalk get the signatures of their documents' Python examples", () => {
  const secret = "SECretForTests";
  const feishu = feishuSender.toRequest(notice(1), { address: "https://open.feishu.cn/hook", secret }, NOW);
  const { timestamp, sign } = bodyOf(feishu);
  assert.deepEqual([timestamp, sign], ["1700000000", "uELRsYsOIeMNZbfherEzb6DiwSyC6df9ptWDApgChX0="]);
  const address = "https://oapi.dingtalk.com/robot/send?access_token=t";
  const dingtalk = dingtalkSender.toRequest(notice(1), { address, secret }, NOW);
  assert.equal(
    dingtalk.url,
    `${address}&timestamp=1700000000000&sign=qsubcfXpGpnAQKlS%2BM0UYOa6AWo0JJNNWrpWA8yShTE%3D`,
  );
  const unsigned = feishuSender.toRequest(notice(1), { address: "https://open.feishu.cn/hook", secret: "" }, NOW);
  assert.equal(unsigned.body.includes("sign"), false);
});

test("each format's limit leaves out alerts, not the rest of the message", () => {
  const address = "https://receiver.example/hook";
  const limits = { slack: 4_000, telegram: 4_096, discord: 2_000, wecom: 2_048, dingtalk: 18_000 } as const;
  for (const kind of ["slack", "telegram", "discord", "wecom", "dingtalk"] as const) {
    const request = SENDERS[kind].toRequest(notice(50, "提".repeat(100)), { address, secret: "s" }, NOW);
    const { text: ofText = "", content = ofText } = bodyOf(request);
    const text = typeof content === "string" ? content : contentSchema.parse(content).content;
    const size = kind === "wecom" || kind === "dingtalk" ? Buffer.byteLength(text) : text.length;
    assert.ok(size <= limits[kind] && size > limits[kind] / 2, `${kind}: ${size}`);
    assert.match(text, /^News\n\n- 提/);
    if (kind !== "dingtalk") assert.match(text, /\n\n\d+ more\n\nSee:\nhttps:\/\/gateway\.example\/channel$/);
  }
});

test("texts of providers cannot mention anybody or become markup", () => {
  const line = '<!channel> & <at user_id="all">';
  const bodyOfOne = (kind: "slack" | "feishu" | "discord") =>
    bodyOf(SENDERS[kind].toRequest(notice(1, line), { address: "https://receiver.example", secret: "" }, NOW));
  assert.match(String(bodyOfOne("slack")["text"]), /- &lt;!channel&gt; &amp; &lt;at/);
  const content = [
    [{ tag: "text", text: `• ${line}` }],
    [{ tag: "a", text: "See", href: "https://gateway.example/channel" }],
  ];
  assert.deepEqual(bodyOfOne("feishu")["content"], { post: { zh_cn: { title: "News", content } } });
  assert.deepEqual(bodyOfOne("discord")["allowed_mentions"], { parse: [] });
});

test("Telegram's bot is named in the path, its chat in the body", () => {
  const request = telegramSender.toRequest(notice(1), { address: "-100123", secret: "12345:token" }, NOW);
  assert.equal(request.url, "https://api.telegram.org/bot12345:token/sendMessage");
  assert.equal(bodyOf(request)["chat_id"], "-100123");
});
