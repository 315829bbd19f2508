import { Button } from "@mantine/core";
import { IconBookmark, IconBookmarkFilled } from "@tabler/icons-react";
import { MenuButton } from "../../components/floating/menu-button.tsx";
import type { MenuEntry } from "../../components/floating/menu-entry.ts";

/** Icon of saved settings; filled for the ones that the page shows. */
export function Bookmark({ isShown }: { isShown: boolean }) {
  return isShown ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />;
}

interface BookmarksMenuProps {
  label: string;
  /** Name of the saved settings that the page shows. */
  shownName: string | undefined;
  entries: readonly MenuEntry[];
  isOpened: boolean;
}

/** The menu of saved settings, when it is loaded. */
export function BookmarksMenu({ label, shownName, entries, isOpened }: BookmarksMenuProps) {
  return (
    <MenuButton
      isOpened={isOpened}
      entries={entries}
      renderButton={(props) => (
        <Button
          variant="default"
          leftSection={<Bookmark isShown={shownName !== undefined} />}
          title={shownName}
          {...props}
        >
          {label}
        </Button>
      )}
    />
  );
}
