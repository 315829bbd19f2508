import { Select } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { splitList } from "@one-api/contract/texts";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { ShareList } from "./share-list.tsx";
import classes from "./shares.module.css";

const CHOICES_SHOWN = 100;

function ShareChooser({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channel-shares");
  const models = splitList(channel.models);
  const groups = splitList(channel.group);
  const [model, setModel] = useState(models[0] ?? "");
  const [group, setGroup] = useState(groups[0] ?? "default");
  return (
    <div className={classes.sheet}>
      <p className={classes.text}>{t("text")}</p>
      <div className={classes.choice}>
        <Select
          label={t("model")}
          searchable
          limit={CHOICES_SHOWN}
          data={models}
          value={model}
          onChange={(chosen) => chosen !== null && setModel(chosen)}
        />
        <Select
          label={t("group")}
          data={groups}
          value={group}
          onChange={(chosen) => chosen !== null && setGroup(chosen)}
        />
      </div>
      <ShareList question={{ model, group }} channelId={channel.id} />
    </div>
  );
}

export default function ShareSheet({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const { t } = useTranslation("channel-shares", "channels");
  return (
    <Sheet opened onClose={onClose} title={t("channels:shares.title")}>
      <ShareChooser channel={channel} />
    </Sheet>
  );
}
