import { createHmac } from "node:crypto";
import { z } from "zod";
import { type MailMessage, oneLine } from "../../mail/index.ts";
import { fittingMessage } from "./notice-text.ts";
import { jsonRequest, type Sender } from "./sender.ts";

/** Feishu takes requests of 20 KB. */
const MOST_BYTES = 18_000;

const answerSchema = z.looseObject({ code: z.int(), msg: z.string().default("") });

/**
 * Custom bots of Feishu and Lark (open.feishu.cn/document/client-docs/bot-v3/add-custom-bot). A `post`, as tags such as
 * `<at>` have no effect in it.
 */
export const feishuSender: Sender = {
  toRequest(notice, { address, secret }, now) {
    const message = fittingMessage(
      notice,
      (candidate) => Buffer.byteLength(JSON.stringify(postOf(candidate))) <= MOST_BYTES,
    );
    return jsonRequest(address, { ...signatureOf(secret, now), msg_type: "post", content: { post: postOf(message) } });
  },
  refusalIn(answer) {
    const { code, msg } = answerSchema.parse(answer);
    return code === 0 ? undefined : `${code} ${msg}`;
  },
};

function postOf({ language, subject, blocks }: MailMessage) {
  const post = { title: oneLine(subject), content: blocks.flatMap(paragraphsOf) };
  return language === "zh-CN" ? { zh_cn: post } : { en_us: post };
}

function paragraphsOf(block: MailMessage["blocks"][number]) {
  if ("list" in block) return block.list.map((line) => [{ tag: "text", text: `• ${line}` }]);
  if ("link" in block) return [[{ tag: "a", text: block.label, href: block.link }]];
  return [[{ tag: "text", text: "text" in block ? block.text : block.code }]];
}

/** The key is timestamp and secret; the signed text is empty. */
function signatureOf(secret: string, now: number) {
  if (secret === "") return {};
  return { timestamp: String(now), sign: createHmac("sha256", `${now}\n${secret}`).update("").digest("base64") };
}
