import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useShortcuts } from "../../../lib/keyboard/use-shortcuts.ts";
import classes from "./search-box.module.css";

const TYPING_PAUSE_MS = 300;

interface SearchBoxProps {
  value: string;
  onSearch(keyword: string): void;
  placeholder: string;
  /** A text that is put into the box, marked, to be copied by hand; it is not searched for. */
  shown?: ShownText | undefined;
}

export interface ShownText {
  readonly text: string;
}

function useSearchText({ value, onSearch, shown }: Omit<SearchBoxProps, "placeholder">) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  if (known !== value) {
    setKnown(value);
    // The own search returns while the user may have typed on; only a word from elsewhere, such as by Back, replaces
    // the text.
    if (value !== sent) {
      setText(value);
      setSent(value);
    }
  }
  const [wasShown, setWasShown] = useState(shown);
  if (wasShown !== shown) {
    setWasShown(shown);
    setText(shown?.text ?? value);
  }
  const search = (keyword: string) => {
    // The text may be a secret, and searches appear in the address.
    if (keyword !== "" && keyword === shown?.text) return;
    setSent(keyword.trim());
    if (keyword.trim() !== value) onSearch(keyword.trim());
  };
  const searchLater = useDebouncedCallback(search, TYPING_PAUSE_MS);
  const searchNow = (keyword: string) => {
    searchLater.cancel();
    search(keyword);
  };
  const type = (typed: string) => {
    setText(typed);
    searchLater(typed);
  };
  const clear = () => {
    setText("");
    searchNow("");
  };
  return { text, type, clear, searchNow: () => searchNow(text) };
}

/** Searches when the typing pauses, at once on Enter; emptying it brings the whole list back. "/" leads to it. */
export function SearchBox({ placeholder, ...search }: SearchBoxProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { text, type, clear, searchNow } = useSearchText(search);
  const { shown } = search;
  useEffect(() => {
    if (shown === undefined) return;
    input.current?.focus();
    input.current?.select();
  }, [shown]);
  useShortcuts({ "/": () => input.current?.focus() });
  return (
    <TextInput
      ref={input}
      type="search"
      role="searchbox"
      aria-label={placeholder}
      placeholder={placeholder}
      className={classes.box ?? ""}
      leftSection={<IconSearch size={16} />}
      rightSection={text === "" ? null : <CloseButton size="sm" aria-label={t("clearSearch")} onClick={clear} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") searchNow();
        if (event.key === "Escape") clear();
      }}
    />
  );
}
