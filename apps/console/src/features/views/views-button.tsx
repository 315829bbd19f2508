import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useState } from "react";
import type { Namespace } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { ViewsMenuProps } from "./views-menu.tsx";

interface OpenedProps {
  /** It was pressed before it was there: it opens at once. */
  isOpened: boolean;
}

interface BookmarksButtonProps<Props> {
  label: string;
  props: Props;
}

/** Returns the button of a menu of saved settings. The page does not wait for the menu. */
export function bookmarksButton<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props & OpenedProps> }>,
  texts: readonly Namespace[] = [],
): (props: BookmarksButtonProps<Props>) => ReactNode {
  const Menu = laterPart(load, texts);
  return function BookmarksButton({ label, props }) {
    const [presses, setPresses] = useState(0);
    const button = (
      <Button
        variant="default"
        leftSection={<IconBookmark size={16} />}
        aria-haspopup="menu"
        onClick={() => setPresses(presses + 1)}
      >
        {label}
      </Button>
    );
    return <Menu timesWanted={presses} instead={button} props={{ ...props, isOpened: presses > 0 }} />;
  };
}

const Views = bookmarksButton<Omit<ViewsMenuProps, "isOpened">>(() => import("./views-menu.tsx"), ["views"]);

/** Menu of named views; a default view is applied once the menu is loaded. */
export function ViewsButton(props: Omit<ViewsMenuProps, "isOpened">) {
  const { t } = useTranslation();
  return <Views label={t("views")} props={props} />;
}
