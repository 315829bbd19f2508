import { accountsTables } from "./baseline/accounts-tables.ts";
import { auditTables } from "./baseline/audit-tables.ts";
import { gatewayTables } from "./baseline/gateway-tables.ts";
import { ledgerTables } from "./baseline/ledger-tables.ts";
import { logsTables } from "./baseline/logs-tables.ts";
import { messagesTables } from "./baseline/messages-tables.ts";
import { storedTables } from "./baseline/stored-tables.ts";
import type { MigrationStep } from "./migration.ts";

export const baseline: MigrationStep = {
  name: "baseline",
  statements: (builder) => [
    ...accountsTables(builder),
    ...gatewayTables(builder),
    ...logsTables(builder),
    ...storedTables(builder),
    ...ledgerTables(builder),
    ...auditTables(builder),
    ...messagesTables(builder),
  ],
};
