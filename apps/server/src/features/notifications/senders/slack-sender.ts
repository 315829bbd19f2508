import { fittingText } from "./notice-text.ts";
import { jsonRequest, type Sender } from "./sender.ts";

/** Longer texts are hard to read; Slack itself takes 40,000 characters. */
const MOST_CHARACTERS = 4_000;

/** Slack's incoming webhooks (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), which Mattermost takes, too. */
export const slackSender: Sender = {
  toRequest(notice, { address }) {
    const text = fittingText(notice, (candidate) => escapeText(candidate).length <= MOST_CHARACTERS);
    return jsonRequest(address, { text: escapeText(text), unfurl_links: false });
  },
};

/** So that no text becomes a link or mentions somebody. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
