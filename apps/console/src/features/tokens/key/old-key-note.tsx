import type { Token } from "@one-api/contract/token";
import { IconKey } from "@tabler/icons-react";
import { formatTime, formatZone, timeUntil } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";

interface OldKeyNoteProps {
  token: Pick<Token, "old_key_ends_at">;
  className: string | undefined;
}

/** Says how long an older key stays valid; nothing without one. */
export function OldKeyNote({ token: { old_key_ends_at: endsAt }, className }: OldKeyNoteProps) {
  const { t, language } = useTranslation("tokens");
  if (endsAt === 0) return null;
  const title = t("roll.noteHint", { time: `${formatTime(endsAt)} ${formatZone(endsAt)}` });
  return (
    <span className={className} title={title}>
      <IconKey size={14} aria-hidden="true" />
      {t("roll.note", { when: timeUntil(endsAt, language) })}
    </span>
  );
}
