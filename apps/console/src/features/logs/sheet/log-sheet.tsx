import { ActionIcon, Drawer, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { PAGE_SIZE } from "@one-api/contract/constants";
import type { Log } from "@one-api/contract/log";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListRows } from "../../../lib/use-list-rows.ts";
import { useCardScreen } from "../../../lib/use-narrow-screen.ts";
import { useLogTypeName } from "../use-log-type-name.ts";
import { useOpenLog } from "../use-open-log.ts";
import classes from "./log-sheet.module.css";
import { LogSheetBody } from "./log-sheet-body.tsx";

interface LogSheetProps {
  /** Undefined while no entry is open. */
  openId: number | undefined;
  list: ListRows<Log>;
}

/** One entry in full, in a sheet beside the list; j and k, or the arrows, go through the loaded entries. */
export function LogSheet({ openId, list }: LogSheetProps) {
  const { t } = useTranslation(["logs", "common"]);
  const { close, stepTo } = useOpenLog();
  const typeName = useLogTypeName();
  const fillsScreen = useCardScreen();
  // Keeps the entry on the sheet while that slides away.
  const [shownId, setShownId] = useState(openId);
  if (openId !== undefined && openId !== shownId) setShownId(openId);
  const index = list.rows.findIndex((log) => log.id === shownId);
  const log = list.rows[index];
  const isOpen = openId !== undefined && !list.isPending;
  const step = (by: number) => {
    const target = index === -1 ? undefined : list.rows[index + by];
    if (isOpen && target !== undefined) stepTo(target.id, Math.floor((index + by) / PAGE_SIZE) + 1);
  };
  useHotkeys([
    ["j", () => step(1)],
    ["k", () => step(-1)],
  ]);
  const title = log === undefined ? t("logs:sheet.goneTitle") : log.model_name || typeName(log.type);
  return (
    <Drawer.Root opened={isOpen} onClose={close} position="right" size={fillsScreen ? "100%" : 560}>
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Tooltip label={t("logs:sheet.previous")}>
            <ActionIcon aria-label={t("logs:sheet.previous")} disabled={index <= 0} onClick={() => step(-1)}>
              <IconChevronUp size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t("logs:sheet.next")}>
            <ActionIcon
              aria-label={t("logs:sheet.next")}
              disabled={index === -1 || index >= list.rows.length - 1}
              onClick={() => step(1)}
            >
              <IconChevronDown size={16} />
            </ActionIcon>
          </Tooltip>
          <Drawer.CloseButton data-autofocus className={classes.close} aria-label={t("common:close")} />
        </Drawer.Header>
        <Drawer.Body>
          {log === undefined ? <p className={classes.note}>{t("logs:sheet.gone")}</p> : <LogSheetBody log={log} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
