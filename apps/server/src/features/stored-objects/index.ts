export {
  countStoredFiles,
  deleteExpiredStoredObjects,
  deleteStoredObject,
  findStoredObjects,
  insertStoredObjects,
  type StoredObjectOwner,
  listStoredFiles,
  type NewStoredObject,
} from "./stored-object.repository.ts";
