/** Begins every management key, so that scanners find a leaked one. */
export const MANAGEMENT_KEY_PREFIX = "oam_";

export const KEY_AREAS = [
  "channels",
  "models",
  "options",
  "configuration",
  "tokens",
  "users",
  "invitations",
  "redemptions",
  "notifications",
  "logs",
  "bodies",
  "usage",
  "audit",
  "system",
] as const;

export type KeyArea = (typeof KEY_AREAS)[number];

export const READ_ONLY_AREAS: ReadonlySet<KeyArea> = new Set(["bodies", "usage", "audit", "system"]);

/** A right of a management key. `write` includes `read`. */
export type KeyScope = `${KeyArea}:${"read" | "write"}`;

export const KEY_SCOPES: readonly KeyScope[] = KEY_AREAS.flatMap((area): KeyScope[] =>
  READ_ONLY_AREAS.has(area) ? [`${area}:read`] : [`${area}:read`, `${area}:write`],
);

export const MANAGEMENT_KEY_LIMITS = { nameLength: 64, networks: 50, keys: 100 } as const;

/** Validity of a new key that the form offers, in days; 0 for no end. */
export const KEY_VALIDITIES = [30, 90, 365, 0] as const;
