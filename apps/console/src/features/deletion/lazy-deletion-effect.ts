import { lazyPart } from "../../lib/loading/later-part.ts";

export const DeletionEffect = lazyPart(() => import("./deletion-effect.tsx"), ["deletion"]);

export const BulkDeletionEffect = lazyPart(() => import("./bulk-deletion-effect.tsx"), ["deletion"]);
