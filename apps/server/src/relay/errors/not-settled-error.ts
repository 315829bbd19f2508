/** A charge is not committed: the database did not answer in time, or the reservation was gone. */
export class NotSettledError extends Error {
  override name = "NotSettledError";
  /** The ledger continues: the charge is committed as soon as the database answers. */
  readonly comesLater: boolean;

  constructor(message: string, comesLater: boolean) {
    super(message);
    this.comesLater = comesLater;
  }
}
