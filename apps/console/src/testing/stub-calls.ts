import { vi } from "vitest";

interface SentCall {
  method: string;
  address: string;
  body: unknown;
}

/** Answers calls by "METHOD address"; whatever is not named is answered with null. Returns the calls that were sent. */
export function stubCalls(answers: Record<string, unknown>): SentCall[] {
  const sent: SentCall[] = [];
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    sent.push({ method, address, body: typeof body === "string" ? JSON.parse(body) : undefined });
    const answer = answers[`${method} ${address}`] ?? null;
    if (answer instanceof Error) return Response.json({ success: false, message: answer.message });
    return Response.json({ success: true, message: "", data: answer });
  });
  return sent;
}
