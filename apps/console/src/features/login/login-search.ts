import { z } from "zod";

/** `from`: where to go after the login. `expired`: the session ended, the page says so. */
export const loginSearchSchema = z.object({
  from: z.string().optional().catch(undefined),
  expired: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .optional()
    .catch(undefined),
});
