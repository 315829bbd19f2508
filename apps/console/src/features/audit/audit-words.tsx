import type { AuditEntry } from "@one-api/contract/audit";
import { TextLink } from "../../components/text-link.tsx";
import { rawText } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser } from "../../lib/state/session.ts";
import { UserRole } from "../users/user-looks.tsx";
import classes from "./audit.module.css";

export function useActionText(): (action: string) => string {
  const { language } = useTranslation("audit");
  return (action) => rawText(language, ["audit"], `actions.${action}`) ?? action;
}

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
  user: "/user/$id",
  token: "/token/edit/$id",
  channel: "/channel/edit/$id",
  redemption: "/redemption/edit/$id",
} as const;

function formOf(noun: string) {
  return noun === "user" || noun === "token" || noun === "channel" || noun === "redemption"
    ? FORM_OF_NOUN[noun]
    : undefined;
}

/** Object by its present name, linked if the reader can open it. */
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
  // Only the owner can edit a token.
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
