import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { callApi, type CallData } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../../lib/state/session.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import classes from "./price-list.module.css";

const PriceChangesDialog = lazyPart(() => import("./price-changes-dialog.tsx"));

function ListInUse({ list }: { list: CallData<"GET /api/pricing/list"> | undefined }) {
  const { t } = useTranslation("settings");
  if (list === undefined) return <Text size="sm">{t("prices.loading")}</Text>;
  if (list.version === "") return <Text size="sm">{t("prices.builtIn", { count: list.models })}</Text>;
  return (
    <div>
      <Text size="sm">
        {t("prices.newer", { count: list.models })} <TimeText time={list.fetched_at} />
      </Text>
      {list.is_older_than_program && (
        <Text size="sm" c="warning">
          {t("prices.older")}
        </Text>
      )}
    </div>
  );
}

/** Takes prices from the list of that version; with an empty one from the program's own. */
function useTakeList() {
  const { t } = useTranslation("settings");
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: string) => callApi("POST /api/pricing/list/use", { body: { version } }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("prices.taken"));
      return client.invalidateQueries({ queryKey: ["pricing"] });
    },
  });
}

/** The list in use, loaded again after each change. */
function useListInUse() {
  return useQuery({
    queryKey: ["pricing", "list"],
    queryFn: ({ signal }) => callApi("GET /api/pricing/list", { signal }),
  });
}

/** Changes of the list that was fetched last, loaded again after each change. */
function useWaitingPrices() {
  return useQuery({
    queryKey: ["pricing", "waiting"],
    queryFn: ({ signal }) => callApi("GET /api/pricing/list/waiting", { signal }),
  });
}

type FoundPrices = CallData<"POST /api/pricing/list/find">;

function useConfirmReset(): () => Promise<boolean> {
  const { t } = useTranslation("settings");
  const confirm = useConfirm();
  return () =>
    confirm({ title: t("prices.reset"), message: t("prices.resetMessage"), confirmLabel: t("prices.reset") });
}

function WaitingPrices({ onReview }: { onReview(found: FoundPrices): void }) {
  const { t } = useTranslation("settings");
  const isRoot = useIsRoot();
  const { data: waiting } = useWaitingPrices();
  if (waiting === undefined || waiting === null) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{t("prices.waiting", { count: waiting.changes.length })}</Text>
      {isRoot && (
        <Button variant="default" size="xs" onClick={() => onReview(waiting)}>
          {t("prices.review")}
        </Button>
      )}
    </Group>
  );
}

export default function PriceList() {
  const { t } = useTranslation("settings");
  const isRoot = useIsRoot();
  const { data: list } = useListInUse();
  const [found, setFound] = useState<FoundPrices>();
  const find = useMutation({
    mutationFn: () => callApi("POST /api/pricing/list/find"),
    meta: { shownInPlace: true },
    onSuccess: setFound,
  });
  const take = useTakeList();
  const confirmReset = useConfirmReset();
  const reset = async () => {
    if (await confirmReset()) take.mutate("");
  };
  const close = () => {
    setFound(undefined);
    take.reset();
  };
  if (list === null) return null;
  return (
    <div className={classes.list}>
      <ListInUse list={list} />
      <WaitingPrices onReview={setFound} />
      {isRoot && (
        <Group gap="xs">
          <Button variant="default" loading={find.isPending} onClick={() => find.mutate()}>
            {t("prices.find")}
          </Button>
          {list !== undefined && list.version !== "" && (
            <Button variant="subtle" onClick={() => void reset()}>
              {t("prices.reset")}
            </Button>
          )}
        </Group>
      )}
      <ErrorAlert error={find.error} />
      {found === undefined && <ErrorAlert error={take.error} />}
      {found !== undefined && (
        <PriceChangesDialog
          found={found}
          isSaving={take.isPending}
          error={take.error}
          onTake={() => take.mutate(found.version, { onSuccess: close })}
          onClose={close}
        />
      )}
    </div>
  );
}
