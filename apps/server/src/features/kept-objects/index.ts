export {
  countKeptFiles,
  deleteExpiredKeptObjects,
  deleteKeptObject,
  findKeptObjects,
  insertKeptObjects,
  type KeptPlace,
  listKeptFiles,
  type NewKeptObject,
} from "./kept-object.repository.ts";
