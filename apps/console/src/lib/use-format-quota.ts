import { formatQuota, quotaDifference } from "./format.ts";
import { useStoredStatus } from "./state/stored-status.ts";

function useQuotaDisplay() {
  const status = useStoredStatus();
  return { displayInCurrency: status.display_in_currency, quotaPerUnit: status.quota_per_unit };
}

/** Returns formatQuota with the settings of the public status. */
export function useFormatQuota(): (quota: number) => string {
  const display = useQuotaDisplay();
  return (quota) => formatQuota(quota, display);
}

/** Returns quotaDifference with the settings of the public status. */
export function useQuotaDifference(): (whole: number, part: number) => number {
  const display = useQuotaDisplay();
  return (whole, part) => quotaDifference(whole, part, display);
}
