import { createHmac } from "node:crypto";
import { fittingText } from "./notice-text.ts";
import { refusalByErrcode } from "./errcode.ts";
import { jsonRequest, type Sender } from "./sender.ts";

/** DingTalk takes 20,000 bytes. */
const MOST_BYTES = 18_000;

/** Custom robots of DingTalk (open.dingtalk.com/document/robots/custom-robot-access). */
export const dingtalkSender: Sender = {
  toRequest(notice, { address, secret }, now) {
    const content = fittingText(notice, (text) => Buffer.byteLength(text) <= MOST_BYTES);
    return jsonRequest(signedAddress(address, secret, now * 1000), { msgtype: "text", text: { content } });
  },
  refusalIn: refusalByErrcode,
};

function signedAddress(address: string, secret: string, nowMs: number): string {
  if (secret === "") return address;
  const url = new URL(address);
  url.searchParams.set("timestamp", String(nowMs));
  url.searchParams.set("sign", createHmac("sha256", secret).update(`${nowMs}\n${secret}`).digest("base64"));
  return url.href;
}
