export { type BodyStore, createBodyStore, type StoredExchange } from "./body-store.ts";
