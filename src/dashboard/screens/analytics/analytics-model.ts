export interface Transaction {
  readonly id: string;
  readonly transaction_id: string;
  readonly client_id: string;
  readonly app_id: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: string;
  readonly order_payment_id?: string;
  readonly at: string;
  readonly request_id: string;
}

export interface PaidDay {
  readonly day: string;
  readonly currency: string;
  /** Amounts are exact decimals. */
  readonly reported: { readonly count: number; readonly amount: string };
  readonly relayed: { readonly count: number; readonly amount: string };
  readonly difference: string;
}

interface PaymentSide {
  readonly status: string;
  readonly amount?: string;
  readonly currency?: string;
}

export interface Difference {
  readonly kind: 'only_reported' | 'only_seen' | 'different';
  readonly order_payment_id: string;
  readonly transaction_id?: string;
  readonly differs: readonly string[];
  readonly reported?: PaymentSide;
  readonly seen?: PaymentSide;
}
