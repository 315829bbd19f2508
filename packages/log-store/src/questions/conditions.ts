import { type LogFilter, resultsBesideErrors } from "../log-filter.ts";
import type { UsageFilter, UsageKey, UsageKeyKind } from "../questions.ts";
import type { DuckConnection, Parameter } from "../replica/duck.ts";
import type { NameKind, Names } from "../replica/names.ts";

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
  async addName(kind: NameKind, name: string): Promise<void> {
    await this.#addNames(kind, [name]);
  }

  async addFilter(filter: LogFilter): Promise<void> {
    const { userId, types, tokenNames, modelNames, aliases, usernames, channelIds, results } = filter;
    if (userId !== 0) this.add("user_id = ?", userId);
    if (channelIds.length > 0) this.#addNumbers("channel_id", channelIds);
    if (tokenNames.length > 0) await this.#addNames("token_name", tokenNames);
    if (modelNames.length > 0) await this.#addNames("model_name", modelNames);
    if (aliases.length > 0) await this.#addNames("alias", aliases);
    if (usernames.length > 0) await this.#addNames("username", usernames);
    if (types.length > 0) this.#addNumbers("type", types);
    if (results.includes("errors")) {
      const numbers = await this.#numbersOf("result", resultsBesideErrors(results));
      for (const number of numbers) this.add("result <> ?", number);
    } else if (results.length > 0) await this.#addNames("result", results);
    if (filter.startTimestamp !== 0) this.add("created_at >= ?", filter.startTimestamp);
    if (filter.endTimestamp !== 0) this.add("created_at <= ?", filter.endTimestamp);
  }

  async #addNames(kind: NameKind, names: readonly string[]): Promise<void> {
    this.#addNumbers(kind, await this.#numbersOf(kind, names));
  }

  async #numbersOf(kind: NameKind, names: readonly string[]): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (const name of names) {
      const number = await this.#names.find(this.#connection, kind, name);
      if (number !== undefined) numbers.push(number);
    }
    return numbers;
  }

  #addNumbers(column: string, numbers: readonly number[]): void {
    const [number] = numbers;
    if (number === undefined) return this.add("false");
    if (numbers.length === 1) return this.add(`${column} = ?`, number);
    const places = numbers.map((one) => `$${this.parameters.push(one)}`);
    this.add(`${column} in (${places.join(", ")})`);
  }

  async addUsageFilter({ userId, userIds, tokenName, modelName, channelId, alias }: UsageFilter): Promise<void> {
    if (userId !== 0) this.add("user_id = ?", userId);
    if (userIds !== undefined) this.#addNumbers("user_id", userIds);
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
