import { fittingText } from "./notice-text.ts";
import { jsonRequest, type Sender } from "./sender.ts";

const API = "https://api.telegram.org";
/** In UTF-16 code units. */
const MOST_CHARACTERS = 4_096;

/** Telegram's Bot API (core.telegram.org/bots/api#sendmessage). The address is the chat, the secret the bot's token. */
export const telegramSender: Sender = {
  toRequest(notice, { address, secret }) {
    const text = fittingText(notice, (candidate) => candidate.length <= MOST_CHARACTERS);
    const body = { chat_id: address, text, link_preview_options: { is_disabled: true } };
    return jsonRequest(`${API}/bot${secret}/sendMessage`, body);
  },
};
