import type { Binding } from "@one-api/contract/accounts/binding";
import type {
  CreateUserInput,
  ManagedUser,
  UpdateUserInput,
  UserAction,
} from "@one-api/contract/accounts/user-management";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { patchListRow, removeListRow } from "../../lib/list/list-cache.ts";
import { USER_LIST_KEY, userKey, USERS_KEY } from "./user-queries.ts";

export function useCreateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CreateUserInput) => callApi("POST /api/user/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}

export function useUpdateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateUserInput) => callApi("PUT /api/user/", { body: input }),
    onSuccess: () => void client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}

export function useClearBinding(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (binding: Binding) => callApi("DELETE /api/user/:id/binding/:binding", { params: { id, binding } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: USERS_KEY }),
  });
}

export function useResetFactors() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: Pick<ManagedUser, "id">) =>
      callApi("POST /api/user/:id/factors/reset", { params: { id: user.id } }),
    onSuccess: (_answer, { id }) => {
      patchListRow<ManagedUser>(client, USER_LIST_KEY, id, { has_second_factor: false });
      void client.invalidateQueries({ queryKey: userKey(id) });
    },
  });
}

interface ManageInput {
  user: Pick<ManagedUser, "id" | "username">;
  action: UserAction;
}

/** Promotes, demotes, deletes, disables or enables a user: the row takes what the server answers, a deleted one vanishes at once. */
export function useManageUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ user, action }: ManageInput) =>
      callApi("POST /api/user/manage", { body: { username: user.username, action } }),
    onSuccess: ({ role, status }, { user, action }) => {
      if (action === "delete") return removeListRow(client, USER_LIST_KEY, user.id);
      patchListRow<ManagedUser>(client, USER_LIST_KEY, user.id, { role, status });
      void client.invalidateQueries({ queryKey: userKey(user.id) });
    },
  });
}
