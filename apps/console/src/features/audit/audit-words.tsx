import type { AuditEntry } from "@one-api/contract/audit";
import { TextLink } from "../../components/text-link.tsx";
import { rawText } from "../../lib/i18n/i18n.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsRoot } from "../../lib/state/session.ts";
import { useLaterWords } from "./later-words.ts";
import { UserRole } from "../users/user-looks.tsx";
import classes from "./audit.module.css";

export function useActionText(): (action: string) => string {
  const { language } = useTranslation("audit");
  return (action) => rawText(language, ["audit"], `actions.${action}`) ?? action;
}

interface AuditActorProps {
  entry: AuditEntry;
  withRole?: boolean;
}

export function AuditActor({ entry, withRole = false }: AuditActorProps) {
  const { actor_id, actor_name, actor_role, address } = entry;
  const { t } = useTranslation("audit");
  if (actor_id === 0) return <span className={classes.quiet}>{t(address === "" ? "gateway" : "nobody")}</span>;
  return (
    <span className={classes.actor}>
      <span className={classes.name} title={actor_name}>
        {actor_name}
      </span>
      {withRole && (
        <span className={classes.quiet}>
          <UserRole role={actor_role} />
        </span>
      )}
    </span>
  );
}

/** Returns the kind of an object with its number, such as "Token 12"; without one the kind alone. */
function useKindText(): (object: string) => string {
  const { language } = useTranslation("audit");
  return (object) => {
    const [noun = "", id = ""] = object.split(":", 2);
    const kind = rawText(language, ["audit"], `objects.${noun}`) ?? noun;
    return /^\d+$/.test(id) ? `${kind} ${id}` : kind;
  };
}

interface ObjectWords {
  /** The object's name, or the id of one that has no other name; empty for none. */
  readonly name: string;
  readonly kind: string;
}

export function useObjectWords(): (object: string, name: string) => ObjectWords {
  const kindText = useKindText();
  const laterWords = useLaterWords();
  return (object, name) => {
    const id = object.slice(object.indexOf(":") + 1);
    const isNamedById = object.includes(":") && !/^\d+$/.test(id);
    const label = object.startsWith("option:") ? laterWords("settings", `fields.${id}`) : undefined;
    return { name: label ?? (name === "" && isNamedById ? id : name), kind: kindText(object) };
  };
}

const PAGE_OF_NOUN = {
  user: "/user/$id",
  token: "/token/edit/$id",
  channel: "/channel/$id",
  redemption: "/redemption/edit/$id",
  receiver: "/notifications/edit/$id",
  "management-key": "/management-keys/edit/$id",
} as const;

function isNounWithPage(noun: string): noun is keyof typeof PAGE_OF_NOUN {
  return Object.hasOwn(PAGE_OF_NOUN, noun);
}

/** The page of the entry's object; undefined if it is deleted or the reader cannot open it. */
function usePageOf(): (entry: AuditEntry) => (typeof PAGE_OF_NOUN)[keyof typeof PAGE_OF_NOUN] | undefined {
  const user = useCurrentUser();
  const isRoot = useIsRoot();
  return ({ object, object_exists: exists, actor_id: actorId }) => {
    const [noun = ""] = object.split(":", 1);
    if (!exists || !isNounWithPage(noun)) return undefined;
    // Only the owner can edit a token; root and the owner a management key.
    if (noun === "token" && actorId !== user?.id) return undefined;
    if (noun === "management-key" && actorId !== user?.id && !isRoot) return undefined;
    return PAGE_OF_NOUN[noun];
  };
}

/** Object by its name, linked to its page. */
export function AuditObject({ entry }: { entry: AuditEntry }) {
  const { name, kind } = useObjectWords()(entry.object, entry.object_name);
  const page = usePageOf()(entry);
  const id = entry.object.slice(entry.object.indexOf(":") + 1);
  const main = name === "" ? kind : name;
  return (
    <span className={classes.object} title={entry.object}>
      <ObjectLink page={page} id={id} isOption={entry.object.startsWith("option:")}>
        {main}
      </ObjectLink>
      {name !== "" && <span className={classes.quiet}>{kind}</span>}
    </span>
  );
}

interface ObjectLinkProps {
  page: ReturnType<ReturnType<typeof usePageOf>>;
  id: string;
  isOption: boolean;
  children: string;
}

function ObjectLink({ page, id, isOption, children }: ObjectLinkProps) {
  if (isOption)
    return (
      <TextLink to="/setting" search={{ option: id }} inherit className={classes.name}>
        {children}
      </TextLink>
    );
  if (page === undefined) return <span className={classes.name}>{children}</span>;
  return (
    <TextLink to={page} params={{ id: Number(id) }} inherit className={classes.name}>
      {children}
    </TextLink>
  );
}
