/** A ticket, paid or not. */
export interface Purchase {
  /** The payment's id at the host app; empty when there is none. */
  readonly payment: string;
  readonly amount: string;
  readonly reference: string;
  readonly passengers: number;
  readonly status: string;
  /** Why the payment was refused. */
  readonly problem?: string;
}
