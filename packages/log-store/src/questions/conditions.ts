import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogFilter } from "../log-filter.ts";
import type { UsageFilter, UsageKey, UsageKeyKind } from "../questions.ts";
import type { DuckConnection, Parameter } from "../replica/duck.ts";
import type { NameKind, Names } from "../replica/names.ts";

/** Keys of usage that are one name. */
const KIND_OF_NAME = { model: "model_name", alias: "alias", "first-model": "first_model" } as const;

export function isNameKind(by: UsageKeyKind): by is keyof typeof KIND_OF_NAME {
  return by in KIND_OF_NAME;
}

export class Conditions {
  readonly parameters: Parameter[] = [];
  readonly #conditions: string[] = [];
  readonly #connection: DuckConnection;
  readonly #names: Names;

  constructor(connection: DuckConnection, names: Names) {
    this.#connection = connection;
    this.#names = names;
  }

  /** A condition without a parameter, or with one for `?`. */
  add(condition: string, parameter?: Parameter): void {
    if (parameter === undefined) this.#conditions.push(condition);
    else {
      this.parameters.push(parameter);
      this.#conditions.push(condition.replace("?", `$${this.parameters.length}`));
    }
  }

  /** The column has this name; nothing matches a name that no entry has. */
  async addName(kind: NameKind, name: string, operator: "=" | "<>" = "="): Promise<void> {
    const id = await this.#names.find(this.#connection, kind, name);
    if (id !== undefined) this.add(`${kind} ${operator} ?`, id);
    else if (operator === "=") this.add("false");
  }

  async addFilter(filter: LogFilter): Promise<void> {
    await this.addUsageFilter(filter);
    if (filter.username !== "") await this.addName("username", filter.username);
    if (filter.type !== LOG_TYPE.all) this.add("type = ?", filter.type);
    if (filter.result === "errors") {
      await this.addName("result", "ok", "<>");
      this.add("result <> 0");
    } else if (filter.result !== "") await this.addName("result", filter.result);
    if (filter.startTimestamp !== 0) this.add("created_at >= ?", filter.startTimestamp);
    if (filter.endTimestamp !== 0) this.add("created_at <= ?", filter.endTimestamp);
  }

  async addUsageFilter({ userId, tokenName, modelName, channelId, alias }: UsageFilter): Promise<void> {
    if (userId !== 0) this.add("user_id = ?", userId);
    if (channelId !== 0) this.add("channel_id = ?", channelId);
    if (tokenName !== "") await this.addName("token_name", tokenName);
    if (modelName !== "") await this.addName("model_name", modelName);
    if (alias !== "") await this.addName("alias", alias);
  }

  async addKey(by: UsageKeyKind, key: UsageKey): Promise<void> {
    if (typeof key === "object") {
      this.add("user_id = ?", key.userId);
      await this.addName("token_name", key.tokenName);
    } else if (isNameKind(by)) await this.addName(KIND_OF_NAME[by], String(key));
    else this.add(by === "channel" ? "channel_id = ?" : "user_id = ?", Number(key));
  }

  /** The columns have one of these combinations of numbers; a list for each column. */
  addAmong(columns: readonly string[], lists: readonly (readonly number[])[]): void {
    const values = lists.map((list) => {
      this.parameters.push(list);
      return `unnest($${this.parameters.length}::bigint[])`;
    });
    this.#conditions.push(`(${columns.join(", ")}) in (select ${values.join(", ")})`);
  }

  toString(): string {
    return this.#conditions.length === 0 ? "true" : this.#conditions.join(" and ");
  }
}
