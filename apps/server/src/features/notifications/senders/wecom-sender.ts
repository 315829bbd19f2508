import { refusalByErrcode } from "./errcode.ts";
import { fittingText } from "./notice-text.ts";
import { jsonRequest, type Sender } from "./sender.ts";

/** Of a text. */
const MOST_BYTES = 2_048;

/** Robots of WeCom groups (developer.work.weixin.qq.com/document/path/91770). */
export const wecomSender: Sender = {
  toRequest(notice, { address }) {
    const content = fittingText(notice, (text) => Buffer.byteLength(text) <= MOST_BYTES);
    return jsonRequest(address, { msgtype: "text", text: { content } });
  },
  refusalIn: refusalByErrcode,
};
