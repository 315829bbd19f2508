import type { FastifyInstance } from "fastify";

export interface Health {
  readonly canWrite: () => Promise<boolean>;
  readonly isStopping: () => boolean;
}

/** Addresses at which load balancers and orchestrators ask whether this server can serve. */
export const READINESS_PATHS = ["/healthz", "/readyz", "/health"] as const;
/** Address at which an orchestrator asks whether the process must be restarted. */
export const LIVENESS_PATH = "/livez";

/**
 * Registers the probes. Readiness: 200 while the database accepts writes, else 503, also while stopping. Liveness: 200 while the process answers,
 * since a restart repairs no database.
 */
export function registerHealth(app: FastifyInstance, { canWrite, isStopping }: Health): void {
  const readiness = async (): Promise<string> => {
    if (isStopping()) return "stopping";
    return (await canWrite()) ? "ok" : "unavailable";
  };
  for (const url of READINESS_PATHS) registerProbe(app, url, readiness);
  registerProbe(app, LIVENESS_PATH, async () => "ok");
}

function registerProbe(app: FastifyInstance, url: string, read: () => Promise<string>): void {
  app.route({
    method: ["GET", "HEAD"],
    url,
    handler: async (_request, reply) => {
      const status = await read();
      return reply
        .code(status === "ok" ? 200 : 503)
        .header("cache-control", "no-store")
        .send({ status });
    },
  });
}
