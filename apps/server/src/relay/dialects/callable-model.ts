/** A model that a caller can call. */
export interface CallableModel {
  readonly id: string;
  readonly createdSeconds: number;
  readonly owner: string;
}
