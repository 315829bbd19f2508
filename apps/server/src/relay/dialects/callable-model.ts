export interface CallableModel {
  readonly id: string;
  readonly createdSeconds: number;
  readonly owner: string;
}
