import type { Token } from "@one-api/contract/token";
import { IconCopy, IconExternalLink, IconKey, IconLink, IconMessageCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RowAction } from "../../../components/data-table/row-action.ts";
import { useStoredStatus } from "../../../lib/stored-status.ts";
import { type Client, clientLink, CLIENTS } from "../copy/client-links.ts";
import { fullKey } from "../copy/full-key.ts";
import { shopFormat } from "../copy/shop-format.ts";
import { useServerAddress } from "../copy/use-server-address.ts";

/** Copies a text and says the message. */
export type CopyText = (text: string, message: string) => void;

function useClientLink() {
  const server = useServerAddress();
  const { chat_link: chatLink } = useStoredStatus();
  return (client: Client, token: Token) => clientLink(client, { key: fullKey(token), server, chatLink });
}

/** Returns the copy button of a row: the shop format, with the other formats beside it. */
export function useCopyAction(copy: CopyText): (token: Token) => RowAction {
  const { t } = useTranslation("tokens");
  const linkTo = useClientLink();
  return (token) => ({
    id: "copy",
    label: t("copy.shop"),
    icon: <IconCopy size={16} />,
    onSelect: () => copy(shopFormat([token]), t("copy.shopDone", { count: 1 })),
    items: [
      {
        id: "key",
        label: t("copy.key"),
        icon: <IconKey size={16} />,
        onSelect: () => copy(fullKey(token), t("copy.keyDone")),
      },
      ...CLIENTS.map((client) => ({
        id: client,
        label: t("copy.link", { client: t(`clients.${client}`) }),
        icon: <IconLink size={16} />,
        onSelect: () => copy(linkTo(client, token), t("copy.linkDone", { client: t(`clients.${client}`) })),
      })),
    ],
  });
}

/** Returns the chat menu of a row: each client opens in a new tab. */
export function useChatAction(): (token: Token) => RowAction {
  const { t } = useTranslation("tokens");
  const linkTo = useClientLink();
  return (token) => ({
    id: "chat",
    label: t("chat"),
    icon: <IconMessageCircle size={16} />,
    items: CLIENTS.map((client) => ({
      id: client,
      label: client === "nextWeb" ? t("chatNextWeb") : t(`clients.${client}`),
      icon: <IconExternalLink size={16} />,
      onSelect: () => void window.open(linkTo(client, token), "_blank", "noopener,noreferrer"),
    })),
  });
}
