import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { vi } from "vitest";

interface SentCall {
  method: string;
  address: string;
  body: unknown;
}

/**
 * Answers calls by "METHOD address", else by "METHOD path" for any query; whatever is not named is answered with null. A list is one page
 * with its total, as the gateway answers. Returns the calls that were sent.
 */
export function stubCalls(answers: Record<string, unknown>): SentCall[] {
  const sent: SentCall[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    sent.push({ method, address, body: typeof body === "string" ? JSON.parse(body) : undefined });
    const path = address.split("?")[0] ?? "";
    const answer = answers[`${method} ${address}`] ?? answers[`${method} ${path}`] ?? null;
    if (answer instanceof Error) return Response.json({ success: false, message: answer.message });
    const headers: Record<string, string> = Array.isArray(answer)
      ? { [TOTAL_COUNT_HEADER]: String(answer.length) }
      : {};
    return Response.json({ success: true, message: "", data: answer }, { headers });
  });
  return sent;
}
