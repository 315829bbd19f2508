import { Button, Text } from "@mantine/core";
import type { AuditDetail, OptionHistoryEntry } from "@one-api/contract/audit";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { TextLink } from "../../../components/text-link.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useOptionHistory } from "../options/option-queries.ts";
import type { SectionField } from "../fields/shown-section.ts";
import classes from "./option-origin.module.css";
import { OptionValue } from "./option-value.tsx";

interface DifferenceProps {
  field: SectionField | undefined;
  detail: AuditDetail;
}

/** The value before and after; of a JSON object, of one member. */
function Difference({ field, detail: { field: member, from = "", to } }: DifferenceProps) {
  const { t } = useTranslation("settings");
  return (
    <span className={classes.difference}>
      {member !== "" && <span className={classes.quiet}>{member}</span>}
      <OptionValue field={member === "" ? field : undefined} value={from} />
      <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
      <OptionValue field={member === "" ? field : undefined} value={to} />
    </span>
  );
}

interface EntryProps {
  field: SectionField | undefined;
  entry: OptionHistoryEntry;
  isReverting: boolean;
  onRevert(): void;
}

function Entry({ field, entry, isReverting, onRevert }: EntryProps) {
  const { t } = useTranslation("settings");
  const { changed_at: time, actor_name: name, details, detail_count: count } = entry;
  return (
    <li className={classes.entry}>
      <span className={classes.quiet}>
        {name !== "" && `${name} · `}
        <TimeText time={time} />
      </span>
      {details.map((detail) => (
        <Difference key={detail.field} field={field} detail={detail} />
      ))}
      {count > details.length && (
        <span className={classes.quiet}>{t("origin.more", { count: count - details.length })}</span>
      )}
      {entry.can_revert && count > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          loading={isReverting}
          aria-label={t("origin.revertAt", { time: formatTime(time) })}
          onClick={onRevert}
        >
          {t("origin.revert")}
        </Button>
      )}
    </li>
  );
}

interface OptionHistoryProps {
  optionKey: string;
  field: SectionField | undefined;
  reverting: number | undefined;
  onRevert(id: number): void;
}

export default function OptionHistory({ optionKey, field, reverting, onRevert }: OptionHistoryProps) {
  const { t } = useTranslation("settings");
  const { data: entries } = useOptionHistory(optionKey);
  if (entries === undefined) return null;
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {t("origin.unknown")}
      </Text>
    );
  return (
    <section aria-label={t("origin.history")} className={classes.history}>
      <h3 className={classes.heading}>{t("origin.history")}</h3>
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <Entry
            key={entry.id}
            field={field}
            entry={entry}
            isReverting={reverting === entry.id}
            onRevert={() => onRevert(entry.id)}
          />
        ))}
      </ul>
      <TextLink to="/audit" search={{ object: `option:${optionKey}` }} size="xs">
        {t("origin.all")}
      </TextLink>
    </section>
  );
}
