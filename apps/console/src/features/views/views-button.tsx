import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { ViewsMenuProps } from "./views-menu.tsx";

const ViewsMenu = laterPart(() => import("./views-menu.tsx"), ["views"]);

/** Menu of named views. The page does not wait for it; a default view is applied once loaded. */
export function ViewsButton(props: Omit<ViewsMenuProps, "isOpened">) {
  const { t } = useTranslation();
  const [presses, setPresses] = useState(0);
  const button = (
    <Button
      variant="default"
      leftSection={<IconBookmark size={16} />}
      aria-haspopup="menu"
      onClick={() => setPresses(presses + 1)}
    >
      {t("views")}
    </Button>
  );
  return <ViewsMenu timesWanted={presses} instead={button} props={{ ...props, isOpened: presses > 0 }} />;
}
