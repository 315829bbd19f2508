import { formatQuota } from "./format.ts";
import { useStoredStatus } from "./state/stored-status.ts";

/** Settings of the public status for formatQuota. */
export function useQuotaDisplay() {
  const status = useStoredStatus();
  return { displayInCurrency: status.display_in_currency, quotaPerUnit: status.quota_per_unit };
}

/** Returns formatQuota with the settings of the public status. */
export function useFormatQuota(): (quota: number) => string {
  const display = useQuotaDisplay();
  return (quota) => formatQuota(quota, display);
}
