/** `waiting`: not sent yet, or a retry is due. */
export const DELIVERY_STATES = ["waiting", "delivered", "given-up"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
