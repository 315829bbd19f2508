import { stripTrailingSlashes } from "@one-api/contract/fields";

/** Programs that a token can be handed to by a link. */
export const CLIENTS = ["nextWeb", "botGem", "openCat", "lobeChat"] as const;

/** Name of a client, as the texts know it. */
export type Client = (typeof CLIENTS)[number];

/** What a client link carries. */
export interface ClientLinkParts {
  /** With its prefix. */
  readonly key: string;
  /** Address of this gateway, without a trailing slash. */
  readonly server: string;
  /** The chat that the administrator set; empty for the projects' public sites. */
  readonly chatLink: string;
}

const NEXT_WEB_SITE = "https://app.nextchat.dev";
const LOBE_CHAT_SITE = "https://lobehub.com";

const encode = encodeURIComponent;

const linkOf: Record<Client, (parts: ClientLinkParts) => string> = {
  nextWeb: ({ key, server, chatLink }) => {
    const settings = JSON.stringify({ key, url: server });
    return `${stripTrailingSlashes(chatLink) || NEXT_WEB_SITE}/#/?settings=${encode(settings)}`;
  },
  botGem: ({ key, server }) => `ama://set-api-key?server=${encode(server)}&key=${encode(key)}`,
  openCat: ({ key, server }) => `opencat://team/join?domain=${encode(server)}&token=${encode(key)}`,
  lobeChat: ({ key, server, chatLink }) => {
    const settings = JSON.stringify({ keyVaults: { openai: { apiKey: key, baseURL: `${server}/v1` } } });
    return `${stripTrailingSlashes(chatLink) || LOBE_CHAT_SITE}/?settings=${encode(settings)}`;
  },
};

/** The link that opens a client with the key and the address of this gateway. All values are URL-encoded. */
export function clientLink(client: Client, parts: ClientLinkParts): string {
  return linkOf[client](parts);
}
