import type { CreateInvitationsInput, Invitation } from "@one-api/contract/accounts/invitation";
import { INVITATION_STATES } from "@one-api/contract/accounts/invitation-constants";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi, callApiList } from "../../lib/api/api-client.ts";
import { removeListRow } from "../../lib/list/list-cache.ts";
import type { ListSource } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import type { InvitationFilters } from "./invitation-list-search.ts";

const LIST_KEY = ["invitations", "list"] as const;

export function invitationList(filters: InvitationFilters): ListSource<Invitation> {
  const state = INVITATION_STATES[filters.state ?? 0];
  const load: ListSource<Invitation>["fetchPage"] = (query, { signal }) =>
    callApiList("GET /api/invitation/", { query: { ...query, order: "default", state }, signal });
  return { queryKey: [...LIST_KEY, filters], fetchPage: load, searchRows: load };
}

export const useInvitations = (search: ListSearch, filters: InvitationFilters) =>
  useListRows(invitationList(filters), search);

export function useCreateInvitations() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateInvitationsInput) => callApi("POST /api/invitation/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}

export function useDeleteInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => callApi("DELETE /api/invitation/:id", { params: { id } }),
    onSuccess: (_data, id) => removeListRow(client, LIST_KEY, id),
    // Somebody may have used it meanwhile.
    onError: () => void client.invalidateQueries({ queryKey: LIST_KEY }),
  });
}
