import type { FastifyInstance } from "fastify";

/** Where load balancers ask whether this server can serve. */
export const HEALTH_PATH = "/healthz";

/** Answers them: 200 while the database takes what is written, else 503. Nothing about the server is told. */
export function registerHealth(app: FastifyInstance, canWrite: () => Promise<boolean>): void {
  app.get(HEALTH_PATH, async (_request, reply) => {
    const isFine = await canWrite();
    return reply
      .code(isFine ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status: isFine ? "ok" : "unavailable" });
  });
}
