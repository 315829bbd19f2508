import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useChosenToken, useTokenChoices } from "../playground-queries.ts";

const TYPING_PAUSE_MS = 250;

interface TokenSelectProps {
  tokenId: number | undefined;
  hint?: ReactNode;
  onChange(tokenId: number): void;
}

/** One of the own tokens that can be used. The list has the newest; typing asks the server for others. */
export function TokenSelect({ tokenId, hint, onChange }: TokenSelectProps) {
  const { t } = useTranslation("playground", "common");
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const chosen = useChosenToken(tokenId);
  // The field holds the chosen name until the user types.
  const keyword = typed === chosen.data?.name ? "" : typed.trim();
  const found = useTokenChoices(keyword).data ?? [];
  const isOld = chosen.data === undefined || found.some(({ id }) => id === chosen.data.id);
  const choices = isOld || keyword !== "" ? found : [chosen.data, ...found];
  const shown = keyword === "" || chosen.data === undefined || isOld ? choices : [...choices, chosen.data];
  return (
    <Select
      label={t("setup.token")}
      description={hint}
      searchable
      nothingFoundMessage={t("common:noMatch.title")}
      data={shown.map(({ id, name }) => ({ value: String(id), label: name }))}
      // The server has searched already.
      filter={({ options }) => options}
      value={tokenId === undefined ? null : String(tokenId)}
      onChange={(value) => value !== null && onChange(Number(value))}
      onSearchChange={setText}
    />
  );
}
