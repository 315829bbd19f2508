import { useEffect, useRef } from "react";
import type { ChannelFormState, ChannelValues } from "./channel-form-model.ts";

export function useLatest<Value>(value: Value) {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

/** Returns a function that fills in a field until somebody changes it. The value counts as no unsaved change. */
export function useFillIn<Field extends "models" | "name">(
  form: ChannelFormState,
  field: Field,
): (value: ChannelValues[Field]) => void {
  const filledIn = useRef("");
  return (value) => {
    const present = String(form.getValues()[field]);
    if (present === String(value) || present !== filledIn.current) return;
    filledIn.current = String(value);
    const isUntouched = !form.isDirty();
    const filled = { ...form.getValues(), [field]: value };
    form.setValues(filled);
    form.clearFieldError(field);
    if (isUntouched) form.resetDirty(filled);
  };
}
