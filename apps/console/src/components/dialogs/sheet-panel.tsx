import { Drawer } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { quick, veil } from "../../theme-components.ts";
import classes from "./sheet.module.css";

const WIDTH_PX = 560;
const PHONE_HEIGHT = "92%";

export interface SheetProps {
  opened: boolean;
  onClose(): void;
  title: string;
  actions?: ReactNode;
  foot?: ReactNode;
  /** On phones as high as its content; else the height is fixed. */
  isShort?: boolean;
  children: ReactNode;
}

export interface SheetPanelProps extends SheetProps {
  /** The sheet is gone from the screen and had the focus until then. */
  onFocusLeft(): void;
}

/**
 * The sheet: from the right on wide screens, from below on phones, where a tap on the visible part of the page closes
 * it.
 */
export default function SheetPanel({
  opened,
  onClose,
  title,
  actions,
  foot,
  isShort = false,
  children,
  onFocusLeft,
}: SheetPanelProps) {
  const { t } = useTranslation();
  const isPhone = useCardScreen();
  const content = useRef<HTMLDivElement>(null);
  const leave = () => {
    const focused = document.activeElement;
    // Something that opened meanwhile, such as a question, keeps the focus.
    if (focused === null || focused === document.body || content.current?.contains(focused) === true) onFocusLeft();
  };
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position={isPhone ? "bottom" : "right"}
      size={isPhone ? PHONE_HEIGHT : WIDTH_PX}
      transitionProps={quick}
      returnFocus={false}
      onExitTransitionEnd={leave}
    >
      <Drawer.Overlay {...veil} />
      <Drawer.Content ref={content} className={classes.content} data-phone={isPhone} data-short={isShort}>
        <Drawer.Header className={classes.head} role="presentation" data-over-toasts>
          {/* Not the button: a ring around it would catch the eye first. */}
          <Drawer.Title data-autofocus tabIndex={-1} className={classes.title}>
            {title}
          </Drawer.Title>
          {actions}
          <Drawer.CloseButton className={classes.close} aria-label={t("close")} />
        </Drawer.Header>
        <Drawer.Body>
          {children}
          {foot !== undefined && (
            <div className={classes.foot} data-over-toasts>
              {foot}
            </div>
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
