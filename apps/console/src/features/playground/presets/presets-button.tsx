import { Button } from "@mantine/core";
import { IconBookmark } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { laterPart } from "../../../lib/loading/later-part.ts";
import type { Asking } from "../use-playground.ts";

const PresetsMenu = laterPart(() => import("./presets-menu.tsx"));

/** Menu of the saved presets. The page does not wait for it. */
export function PresetsButton({ asking }: { asking: Asking }) {
  const { t } = useTranslation("playground");
  const [presses, setPresses] = useState(0);
  const button = (
    <Button
      variant="default"
      leftSection={<IconBookmark size={16} />}
      aria-haspopup="menu"
      onClick={() => setPresses(presses + 1)}
    >
      {t("presets.title")}
    </Button>
  );
  return <PresetsMenu timesWanted={presses} instead={button} props={{ asking, isOpened: presses > 0 }} />;
}
