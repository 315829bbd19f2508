import { fittingText } from "./notice-text.ts";
import { jsonRequest, type Sender } from "./sender.ts";

const MOST_CHARACTERS = 2_000;
const SUPPRESS_EMBEDS = 4;

/** Discord's webhooks (docs.discord.com/developers/resources/webhook#execute-webhook). Mentions have no effect. */
export const discordSender: Sender = {
  toRequest(notice, { address }) {
    const content = fittingText(notice, (text) => text.length <= MOST_CHARACTERS);
    return jsonRequest(address, { content, flags: SUPPRESS_EMBEDS, allowed_mentions: { parse: [] } });
  },
};
