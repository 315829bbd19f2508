import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { channelSharesQuery } from "../channel-queries.ts";
import { ShareList } from "./share-list.tsx";
import classes from "./shares.module.css";

const CHOICES_SHOWN = 100;
const TYPING_PAUSE_MS = 250;

interface SharePreviewProps {
  /** 0 for a channel that is not stored yet. */
  channelId: number;
  name: ReactNode;
  models: readonly string[];
  groups: readonly string[];
  priority: number;
  weight: number;
}

export function SharePreview({ channelId, name, models, groups, priority, weight }: SharePreviewProps) {
  const { t } = useTranslation("channel-shares");
  const [wantedModel, setModel] = useState("");
  const [wantedGroup, setGroup] = useState("");
  const model = models.includes(wantedModel) ? wantedModel : (models[0] ?? "");
  const group = groups.includes(wantedGroup) ? wantedGroup : (groups[0] ?? "");
  const [draft] = useDebouncedValue({ channel: channelId, priority, weight }, TYPING_PAUSE_MS);
  const question = { model, group, draft };
  const shares = useQuery(channelSharesQuery(question));
  const own = shares.data?.find(({ channel }) => channel === channelId);
  if (model === "" || group === "") return <p className={classes.text}>{t("chooseModel")}</p>;
  return (
    <section className={classes.preview} aria-label={t("preview")}>
      <div className={classes.previewHead}>
        <span className={classes.previewTitle}>{t("preview")}</span>
        <Select
          aria-label={t("model")}
          size="xs"
          searchable
          limit={CHOICES_SHOWN}
          data={models}
          value={model}
          onChange={(chosen) => chosen !== null && setModel(chosen)}
        />
        {groups.length > 1 && (
          <Select
            aria-label={t("group")}
            size="xs"
            data={groups}
            value={group}
            onChange={(chosen) => chosen !== null && setGroup(chosen)}
          />
        )}
      </div>
      {own?.code === "no-weight" && (
        <p className={classes.warning} role="status">
          {t("noWeight")}
        </p>
      )}
      <ScrollBox label={t("preview")} className={classes.window}>
        <ShareList question={question} channelId={channelId} unnamed={name} />
      </ScrollBox>
    </section>
  );
}
