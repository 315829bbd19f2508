import type { ComponentProps, MouseEvent } from "react";

interface SteadyButtonProps extends ComponentProps<"button"> {
  "data-loading"?: boolean;
  "data-disabled"?: boolean;
}

function ignore(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Element of Mantine's buttons, which are disabled while they load: browsers take the focus from those. This one ignores presses instead. */
export function SteadyButton({ type, disabled, onClick, ...rest }: SteadyButtonProps) {
  const isBusy = rest["data-loading"] === true || rest["aria-busy"] === true;
  const isLoading = isBusy && rest["data-disabled"] !== true;
  const state = isLoading ? { "aria-disabled": true, onClick: ignore } : { disabled, onClick };
  const props = { ...rest, ...state };
  return type === "submit" ? <button {...props} type="submit" /> : <button {...props} type="button" />;
}
