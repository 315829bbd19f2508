import type { AuditEntry } from "@one-api/contract/audit";
import { TextLink } from "../../components/text-link.tsx";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { UserRole } from "../users/user-looks.tsx";
import classes from "./audit.module.css";

const ACTIONS = [
  "session.start",
  "session.end",
  "session.refuse",
  "session.end-all",
  "user.register",
  "user.create",
  "user.update",
  "user.update-self",
  "user.promote",
  "user.demote",
  "user.disable",
  "user.enable",
  "user.delete",
  "user.delete-self",
  "user.bind",
  "user.bind-email",
  "user.unbind",
  "user.clear-binding",
  "user.reset-password",
  "user.create-access-token",
  "user.revoke-access-token",
  "user.create-invite-code",
  "factor.begin-totp",
  "factor.add-totp",
  "factor.remove-totp",
  "factor.add-passkey",
  "factor.rename-passkey",
  "factor.remove-passkey",
  "factor.create-recovery-codes",
  "factor.reset",
  "token.create",
  "token.update",
  "token.set-status",
  "token.roll-key",
  "token.end-old-key",
  "token.delete",
  "token.send-alert",
  "channel.create",
  "channel.update",
  "channel.delete",
  "channel.delete-disabled",
  "channel.test",
  "channel.test-many",
  "channel.test-stop",
  "channel.update-balance",
  "channel.update-abilities",
  "channel.disable-automatically",
  "channel.enable-automatically",
  "channel.restock",
  "redemption.create",
  "redemption.update",
  "redemption.set-status",
  "redemption.delete",
  "redemption.redeem",
  "option.update",
  "option.test-message-pusher",
  "option.test-proxy",
  "invitation.create",
  "invitation.delete",
  "log.clear",
  "mail.test",
  "mail.send-code",
  "mail.send-reset",
] as const;

/** What was done, in words; an action of another version as it is called. */
export function actionText(action: string, t: Translate<"audit">): string {
  const known = ACTIONS.find((name) => name === action);
  return known === undefined ? action : t(`actions.${known}`);
}

const UNIX_SECONDS = /^[1-9]\d{9}$/;

/**
 * The moment, in Unix seconds, that the value of a detail is; undefined for all others. What is stored as a moment is
 * called so ("expired_time", "old_key_ends_at"); what took some time has no ten digits.
 */
export function momentOf(field: string, text: string): number | undefined {
  return /(?:_time|_at|^until)$/.test(field) && UNIX_SECONDS.test(text) ? Number(text) : undefined;
}

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/** The amount of quota that the value of a detail is ("remain_quota"); undefined for all others. */
export function amountOf(field: string, text: string): number | undefined {
  return /(?:^|_)quota$/.test(field) && WHOLE_NUMBER.test(text) ? Number(text) : undefined;
}

/** Returns what writes the value of a detail as it is read in one line: a moment in the viewer's zone, quota as money, nothing as a dash. */
export function useValueText(): (field: string, text: string) => string {
  const quota = useFormatQuota();
  return (field, text) => {
    const [moment, amount] = [momentOf(field, text), amountOf(field, text)];
    if (amount !== undefined) return quota(amount);
    return moment === undefined ? text || "–" : formatTime(moment);
  };
}

/** Who did it: a person with the role of that moment, the gateway itself, or somebody who was not logged in. */
export function AuditActor({ entry: { actor_id, actor_name, actor_role, address } }: { entry: AuditEntry }) {
  const { t } = useTranslation("audit");
  if (actor_id === 0) return <span className={classes.quiet}>{t(address === "" ? "gateway" : "nobody")}</span>;
  return (
    <span className={classes.actor}>
      <span className={classes.name} title={actor_name}>
        {actor_name}
      </span>
      <span className={classes.quiet}>
        <UserRole role={actor_role} />
      </span>
    </span>
  );
}

const FORM_OF_NOUN = {
  user: "/user/edit/$id",
  token: "/token/edit/$id",
  channel: "/channel/edit/$id",
  redemption: "/redemption/edit/$id",
} as const;

function formOf(noun: string) {
  return noun === "user" || noun === "token" || noun === "channel" || noun === "redemption"
    ? FORM_OF_NOUN[noun]
    : undefined;
}

/** What it was done to: by its name now, with a link to it where the reader can open it. */
export function AuditObject({ entry, isLinked = false }: { entry: AuditEntry; isLinked?: boolean }) {
  const user = useCurrentUser();
  const [noun = "", ...rest] = entry.object.split(":");
  const id = rest.join(":");
  const words = (
    <>
      {entry.object_name !== "" && <span className={classes.name}>{entry.object_name} </span>}
      <code className={classes.code}>{entry.object}</code>
    </>
  );
  const form = formOf(noun);
  // Nobody edits somebody else's token.
  const isOpen = form !== undefined && /^[1-9]\d{0,14}$/.test(id) && (noun !== "token" || entry.actor_id === user?.id);
  if (isLinked && noun === "option")
    return (
      <TextLink to="/setting" search={{ option: id }} inherit>
        {words}
      </TextLink>
    );
  if (!isLinked || !isOpen) return <span className={classes.object}>{words}</span>;
  return (
    <TextLink to={form} params={{ id: Number(id) }} inherit>
      {words}
    </TextLink>
  );
}
