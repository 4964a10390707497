/** A ticket, paid or not. */
export interface Purchase {
  /** The payment's id at the host app; empty: there is none. */
  readonly payment: string;
  readonly amount: string;
  readonly reference: string;
  readonly passengers: number;
  readonly status: string;
  /** Why it was refused. */
  readonly problem?: string;
}
