import { TOKEN_KEY_PREFIX } from "@one-api/contract/constants";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import type { Token } from "@one-api/contract/token";

const SHOWN_END_LENGTH = 4;

/** The key as callers send it, with its prefix. */
export function fullKey({ key }: Pick<Token, "key">): string {
  return TOKEN_KEY_PREFIX + key;
}

/** The key cut to what recognises it: `sk-…wxyz`. */
export function maskedKey({ key }: Pick<Token, "key">): string {
  return `${TOKEN_KEY_PREFIX}…${key.slice(-SHOWN_END_LENGTH)}`;
}

/** Tokens as card shops import them: one line each, `name----key`. */
export function shopFormat(tokens: readonly Pick<Token, "name" | "key">[]): string {
  return tokens.map((token) => `${token.name}----${fullKey(token)}`).join("\n");
}

/** Programs that a token can be handed to by a link. */
export const CLIENTS = ["nextWeb", "botGem", "openCat", "lobeChat"] as const;

export type Client = (typeof CLIENTS)[number];

export interface ClientLinkParts {
  /** With its prefix. */
  readonly key: string;
  /** Address of this gateway, without a trailing slash. */
  readonly server: string;
  /** The sites that the administrator set; empty for the projects' public ones. */
  readonly sites: { readonly nextWeb: string; readonly lobeChat: string };
}

const NEXT_WEB_SITE = "https://app.nextchat.dev";
const LOBE_CHAT_SITE = "https://lobehub.com";

const encode = encodeURIComponent;

const linkOf: Record<Client, (parts: ClientLinkParts) => string> = {
  nextWeb: ({ key, server, sites }) => {
    const settings = JSON.stringify({ key, url: server });
    return `${stripTrailingSlashes(sites.nextWeb) || NEXT_WEB_SITE}/#/?settings=${encode(settings)}`;
  },
  botGem: ({ key, server }) => `ama://set-api-key?server=${encode(server)}&key=${encode(key)}`,
  openCat: ({ key, server }) => `opencat://team/join?domain=${encode(server)}&token=${encode(key)}`,
  lobeChat: ({ key, server, sites }) => {
    const settings = JSON.stringify({ keyVaults: { openai: { apiKey: key, baseURL: `${server}/v1` } } });
    return `${stripTrailingSlashes(sites.lobeChat) || LOBE_CHAT_SITE}/?settings=${encode(settings)}`;
  },
};

/** The link that opens a client with the key and the address of this gateway. All values are URL-encoded. */
export function clientLink(client: Client, parts: ClientLinkParts): string {
  return linkOf[client](parts);
}
