import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { vi } from "vitest";
import { checkNames, contractAnswer } from "./contract-answers.ts";

interface SentCall {
  method: string;
  address: string;
  body: unknown;
}

/** Rows of a list that are answered page by page, as they are asked for. */
export class ServedRows {
  readonly rows: readonly unknown[];

  constructor(rows: readonly unknown[]) {
    this.rows = rows;
  }

  pageOf(address: string): readonly unknown[] {
    const query = new URLSearchParams(address.split("?")[1]);
    const size = Number(query.get("size"));
    const first = Number(query.get("p")) * size;
    return this.rows.slice(first, first + size);
  }
}

/**
 * Answers calls by "METHOD address", else by "METHOD path" for any query; whatever is not named is answered with null. A list is one page
 * with its total, as the gateway answers. Returns the calls that were sent.
 */
export function stubCalls(answers: Record<string, unknown>): SentCall[] {
  const sent: SentCall[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    const parsed: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    sent.push({ method, address, body: parsed });
    checkNames(method, address, parsed);
    const path = address.split("?")[0] ?? "";
    const answer = answers[`${method} ${address}`] ?? answers[`${method} ${path}`] ?? null;
    if (answer instanceof Error) {
      const { message, name } = answer;
      // An error's name, if it has one of its own, is the code of the refusal.
      return Response.json({ success: false, message, ...(name !== "Error" && { code: name }) });
    }
    const list = answer instanceof ServedRows ? answer.rows : answer;
    const headers: Record<string, string> = Array.isArray(list) ? { [TOTAL_COUNT_HEADER]: String(list.length) } : {};
    const data = answer instanceof ServedRows ? answer.pageOf(address) : answer;
    return Response.json({ success: true, message: "", data: contractAnswer(method, path, data) }, { headers });
  });
  return sent;
}
