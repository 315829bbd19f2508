import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { type TestScope, useDeleteDisabledChannels, useTestChannels } from "../channel-mutations.ts";

/** Returns the actions on all channels, or on all disabled ones. */
export function useMassActions() {
  const { t } = useTranslation("channels");
  const test = useTestChannels();
  const remove = useDeleteDisabledChannels();
  return {
    test: {
      isPending: test.isPending,
      start: (scope: TestScope) => test.mutate(scope, { onSuccess: () => toastSuccess(t("test.started")) }),
    },
    remove: {
      isPending: remove.isPending,
      start: () =>
        remove.mutate(undefined, { onSuccess: (count) => toastSuccess(t("deleteDisabled.done", { count })) }),
    },
  };
}

interface NamedChannels {
  readonly names: readonly string[];
  readonly total: number;
}

const NAMES_SHOWN = 5;

/** Returns a function that writes the first names, and how many more there are. */
export function useListOfNames(): (...parts: readonly NamedChannels[]) => string {
  const { t, language } = useTranslation("channels");
  return (...parts) => {
    const names = parts.flatMap((part) => part.names).slice(0, NAMES_SHOWN);
    const rest = parts.reduce((sum, { total }) => sum + total, 0) - names.length;
    const all = rest > 0 ? [...names, t("deleteDisabled.more", { count: rest })] : names;
    return new Intl.ListFormat(language, { type: "conjunction" }).format(all);
  };
}
