import { notFound } from "@tanstack/react-router";

/** Path parameter `$id` of pages on one row: a positive integer, anything else is no page. */
export const rowIdParams = {
  parse: ({ id }: { id: string }) => {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
    return { id: Number(id) };
  },
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};
