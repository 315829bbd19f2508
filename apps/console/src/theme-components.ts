import type { MantineThemeComponents } from "@mantine/core";

const quick = { duration: 120 };
const veil = { backgroundOpacity: 0.4 };

/**
 * How Mantine's components look and move unless a page says otherwise.
 * Named by text and not by the components' own `extend`, which would load every one of them before the first paint.
 */
export const componentDefaults: MantineThemeComponents = {
  ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
  Button: {
    defaultProps: { size: "sm" },
    vars: (_theme: unknown, props: { size?: unknown }) =>
      props.size === "sm" ? { root: { "--button-height": "32px", "--button-padding-x": "12px" } } : { root: {} },
  },
  Checkbox: { defaultProps: { radius: 4 } },
  Drawer: { defaultProps: { transitionProps: quick, overlayProps: veil } },
  Input: {
    defaultProps: { size: "sm" },
    vars: (_theme: unknown, props: { size?: unknown }) =>
      props.size === "sm" ? { wrapper: { "--input-height": "32px", "--input-fz": "13px" } } : { wrapper: {} },
  },
  Menu: { defaultProps: { transitionProps: quick, position: "bottom-end", shadow: "md" } },
  Modal: { defaultProps: { centered: true, radius: "md", transitionProps: quick, overlayProps: veil } },
  Popover: { defaultProps: { transitionProps: quick, shadow: "md" } },
  Select: { defaultProps: { allowDeselect: false, checkIconPosition: "right" } },
  Tooltip: {
    defaultProps: {
      openDelay: 350,
      transitionProps: quick,
      fz: "xs",
      events: { hover: true, focus: true, touch: false },
    },
  },
};
