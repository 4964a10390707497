/** A call, and the statements for which its caller waits. */
export interface StatementBudget {
  readonly call: string;
  /** Each name once for each time; what many calls bring at the same time goes by one of each. */
  readonly statements: readonly string[];
  /** Why there are more than the work at hand seems to need; absent: there are not. */
  readonly reason?: string;
}

/** Without Idempotency-Key and nonce, on a service that has seen the partners before. */
export const statementBudgets = [
  { call: 'connect', statements: ['users.store'] },
  {
    call: 'authorize',
    statements: ['rate-limits.count', 'shared-tasks.claim', 'users.store-with-tokens', 'shared-tasks.complete'],
    reason: 'calls of browsers are limited, over all instances; a code is claimed before it is sent, and its answer is kept for repeats',
  },
  {
    call: 'partner/login',
    statements: ['rate-limits.count', 'users.store'],
    reason: 'calls of browsers are limited, over all instances',
  },
  {
    call: 'get_consent',
    statements: ['rate-limits.count', 'consents.are-granted'],
    reason: 'calls of browsers are limited, over all instances',
  },
  { call: 'save_consent', statements: ['consents.record'] },
  { call: 'revoke', statements: ['consents.record'] },
  { call: 'settings', statements: ['rate-limits.count'] },
  { call: 'track', statements: ['rate-limits.count'] },
  { call: 'create-order-payment', statements: ['payments.intend-all', 'payments.open-all'] },
  {
    call: 'create-order-payment with a user token',
    statements: ['payments.intend-all', 'user-tokens.find', 'payments.open-all'],
    reason: 'the token is read while the intent is stored',
  },
  { call: 'get-payment-status', statements: ['payments.find-all'] },
  {
    call: 'get-payment-status with a user token',
    statements: ['payments.find-all', 'user-tokens.find'],
    reason: 'only the payment tells whose token it is',
  },
  {
    call: 'complete-order',
    statements: ['payments.find-all', 'payments.settle-all'],
    reason: "the sealed report and the delivery are bound to the payment's own id, which only the first tells",
  },
  { call: 'events (relay)', statements: [] },
] as const satisfies readonly StatementBudget[];

export type BudgetedCall = (typeof statementBudgets)[number]['call'];

/** The budgets as rows of a table, the head first. */
export const budgetRows = (): string[][] => [
  ['Call', 'Statements', 'Which', 'Why more'],
  ...statementBudgets.map((budget: StatementBudget) => [
    ...[budget.call, String(budget.statements.length), budget.statements.map((name) => `\`${name}\``).join(', ')],
    budget.reason ?? '',
  ]),
];
