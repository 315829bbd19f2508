import { vi } from "vitest";
import { checkNames, contractAnswer } from "./contract-answers.ts";

interface StubbedAnswer {
  /** HTTP status; 200 unless given. */
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request that the console sent. */
export interface SentRequest {
  method: string;
  /** Path with query. */
  address: string;
  body: unknown;
}

/** The body of a call that worked. */
export function accepted(data: unknown): StubbedAnswer {
  return { body: { success: true, message: "", data } };
}

/** The body of a call that a business rule refused. */
export function refused(message: string): StubbedAnswer {
  return { body: { success: false, message } };
}

/** Completes the data of an accepted call by the contract. */
function complete(method: string, path: string, reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null || !("success" in reply) || reply.success !== true) return reply;
  return { ...reply, data: contractAnswer(method, path, "data" in reply ? reply.data : undefined) };
}

/** Answers calls by `METHOD /path`; others are refused by name. Returns what was sent. */
export function stubApi(answers: Record<string, StubbedAnswer | (() => StubbedAnswer)>): SentRequest[] {
  const sent: SentRequest[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    sent.push({ method, address, body });
    checkNames(method, address, body);
    const path = address.split("?")[0] ?? "";
    const answer = answers[`${method} ${path}`] ?? refused(`there is no answer for ${method} ${path}`);
    const { status = 200, body: reply, headers = {} } = typeof answer === "function" ? answer() : answer;
    return new Response(typeof reply === "string" ? reply : JSON.stringify(complete(method, path, reply)), {
      status,
      headers,
    });
  });
  return sent;
}
