import type { Channel } from "@one-api/contract/channels/channel";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { askModelsPayload, type ChannelFormState, type ChannelValues } from "./channel-form-model.ts";
import { useFillIn, useLatest } from "./use-fill-in.ts";

export interface FetchedModels {
  readonly listed: readonly string[] | undefined;
  readonly isPending: boolean;
  /** The provider listed no models when it was asked last. */
  readonly hasFailed: boolean;
  fetchNow(): void;
  /** Fetches them for a new channel once its key is typed, without an error message: the provider may offer no list. */
  fetchWhenReady(): void;
}

/**
 * Fills in the models of a new channel: the type's own until the key is typed, then those that the provider lists. Models that were changed by hand stay.
 */
export function useFetchedModels(
  form: ChannelFormState,
  stored: Channel | undefined,
  related: readonly string[],
): FetchedModels {
  const isNew = stored === undefined;
  const lastTried = useRef("");
  const fill = useFillIn(form, "models");
  const fillIn = (models: readonly string[]) => {
    if (isNew) fill([...models]);
  };
  const ask = (values: ChannelValues) =>
    callApi("POST /api/channel/models/ask", { body: askModelsPayload(values, stored) });
  const onSuccess = ({ models }: { readonly models: readonly string[] }) => {
    // The first model is the one that a test asks: not whichever the provider happens to list first.
    const known = related.filter((model) => models.includes(model));
    if (models.length > 0) fillIn([...known, ...models.filter((model) => !known.includes(model))]);
  };
  const fetching = useMutation({ mutationFn: ask, onSuccess });
  const quiet = useMutation({ mutationFn: ask, onSuccess, meta: { quiet: true } });

  const fetchWhenReady = () => {
    const { type, key, base_url: address, isBatch, isKeyList } = form.values;
    const tried = JSON.stringify([type, key, address]);
    if (!isNew || isBatch || isKeyList || key.trim() === "" || tried === lastTried.current) return;
    if (Object.keys(form.errors).some((field) => field === "key" || field === "base_url")) return;
    lastTried.current = tried;
    quiet.mutate(form.values);
  };

  const latestRef = useLatest({ fillIn, fetchNow: () => fetching.mutate(form.values), fetchWhenReady });
  useEffect(() => {
    latestRef.current.fillIn(related);
  }, [related, latestRef]);

  const listed = (fetching.data ?? quiet.data)?.models;
  const isPending = fetching.isPending || quiet.isPending;
  const hasFailed = !isPending && (fetching.submittedAt > quiet.submittedAt ? fetching : quiet).isError;
  // Memoized: the sections that receive it are not rendered for each key press.
  return useMemo(
    () => ({
      listed,
      isPending,
      hasFailed,
      fetchNow: () => latestRef.current.fetchNow(),
      fetchWhenReady: () => latestRef.current.fetchWhenReady(),
    }),
    [listed, isPending, hasFailed, latestRef],
  );
}
