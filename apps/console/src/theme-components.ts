import type { MantineThemeComponents } from "@mantine/core";
import { SteadyButton } from "./components/buttons/steady-button.tsx";
import classes from "./theme-components.module.css";

export const quick = { duration: 120 };
export const veil = { backgroundOpacity: 0.4 };

/**
 * Defaults of Mantine's components. By name instead of the components' `extend`, which would load all of them before
 * the first paint.
 */
export const componentDefaults: MantineThemeComponents = {
  ActionIcon: {
    classNames: { root: classes.actionIcon },
    defaultProps: { variant: "subtle", color: "gray", size: 28, component: SteadyButton },
  },
  Alert: { classNames: { root: classes.alert } },
  Button: {
    classNames: { root: classes.button },
    defaultProps: { size: "sm", component: SteadyButton },
    vars: (_theme: unknown, props: { size?: unknown }) =>
      props.size === "sm" ? { root: { "--button-height": "32px", "--button-padding-x": "12px" } } : { root: {} },
  },
  Checkbox: { defaultProps: { radius: "xs" } },
  Drawer: { classNames: { title: classes.dialogTitle }, defaultProps: { transitionProps: quick, overlayProps: veil } },
  Input: {
    classNames: { input: classes.input },
    defaultProps: { size: "sm" },
    vars: (_theme: unknown, props: { size?: unknown }) =>
      props.size === "sm" ? { wrapper: { "--input-height": "32px", "--input-fz": "13px" } } : { wrapper: {} },
  },
  InputWrapper: {
    classNames: {
      root: classes.field,
      label: classes.label,
      description: classes.description,
      error: classes.error,
    },
    defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
  },
  Menu: {
    classNames: { item: classes.entry },
    defaultProps: { transitionProps: quick, position: "bottom-end", shadow: "md" },
  },
  Modal: {
    classNames: { title: classes.dialogTitle },
    defaultProps: { centered: true, radius: "md", transitionProps: quick, overlayProps: veil },
  },
  MultiSelect: { classNames: { option: classes.entry } },
  Notification: { classNames: { root: classes.toast, description: classes.toastText } },
  Notifications: { classNames: { root: classes.toasts } },
  PillsInputField: { classNames: { field: classes.pillsField } },
  Popover: { defaultProps: { transitionProps: quick, shadow: "md" } },
  Select: {
    classNames: { option: classes.entry },
    defaultProps: { allowDeselect: false, checkIconPosition: "right" },
  },
  TagsInput: { classNames: { option: classes.entry } },
  Tooltip: { defaultProps: { transitionProps: quick, fz: "xs" } },
};
