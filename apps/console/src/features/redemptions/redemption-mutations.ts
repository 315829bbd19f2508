import type { CreateRedemptionsInput, Redemption, UpdateRedemptionInput } from "@one-api/contract/redemption";
import { REDEMPTION_DEFAULTS, type REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { patchListRow, removeListRow } from "../../lib/list/list-cache.ts";
import { createExternalStore } from "../../lib/state/external-store.ts";
import { REDEMPTION_LIST_KEY, REDEMPTIONS_KEY } from "./redemption-queries.ts";

export interface CreatedCodes {
  readonly name: string;
  /** Of each code. */
  readonly quota: number;
  readonly codes: readonly string[];
}

/** Last created codes until their dialog is closed. In memory only: codes are money. */
export const createdCodes = createExternalStore<CreatedCodes | undefined>(undefined);

export function codeFile({ name, codes }: Pick<CreatedCodes, "name" | "codes">): [name: string, text: string] {
  return [name, `${codes.join("\n")}\n`];
}

export function useCreateRedemptions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateRedemptionsInput) => callApi("POST /api/redemption/", { body: input }),
    onSuccess: (codes, { name, quota = REDEMPTION_DEFAULTS.quota }) => {
      createdCodes.set({ name, quota, codes });
      void client.invalidateQueries({ queryKey: REDEMPTIONS_KEY });
    },
  });
}

export function useUpdateRedemption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateRedemptionInput) => callApi("PUT /api/redemption/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: REDEMPTIONS_KEY }),
  });
}

interface SetStatus {
  id: number;
  status: typeof REDEMPTION_STATUS.unused | typeof REDEMPTION_STATUS.disabled;
}

/** Enables or disables a code; its row shows what the server answers. */
export function useSetRedemptionStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SetStatus) => callApi("PUT /api/redemption/", { query: { status_only: "true" }, body }),
    onSuccess: (_code, { id, status }) => patchListRow<Redemption>(client, REDEMPTION_LIST_KEY, id, { status }),
    // Somebody may have redeemed it meanwhile.
    onError: () => void client.invalidateQueries({ queryKey: REDEMPTION_LIST_KEY }),
  });
}

/** Deletes a code; its row vanishes at once. */
export function useDeleteRedemption() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/redemption/:id/", { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, REDEMPTION_LIST_KEY, id),
  });
}
