import { JsonNumber, type Json } from '../../domain/shared/json';

/** Simulated problems of a payment. */
export type Magic =
  'declined' | 'stays in process' | 'times out' | 'malformed' | 'late' | 'double' | 'conflicting' | 'refused once' | 'always refused';

const byCents: Readonly<Record<string, Magic>> = {
  '01': 'declined',
  '02': 'stays in process',
  '03': 'times out',
  '04': 'malformed',
  '05': 'late',
  '06': 'double',
  '07': 'conflicting',
  '08': 'refused once',
  '09': 'always refused',
};

const meaning: Readonly<Record<Magic, string>> = {
  declined: 'The simulated bank declines: the payment fails.',
  'stays in process': 'Nothing final is ever reported.',
  'times out': 'The payment is opened, but the answer never comes.',
  malformed: 'The answer is JSON that breaks off.',
  late: 'The completion comes 90 s late.',
  double: 'The same completion comes twice.',
  conflicting: 'Paid, and then failed: two results that cannot both be true.',
  'refused once': 'The first call is answered 401, the repeat is taken.',
  'always refused': 'Every call is answered 401.',
};

/** The cents of an amount and their effects on the payment, for display. */
export const magicValues = Object.entries(byCents).map(([cents, magic]) => ({ cents: `.${cents}`, name: magic, meaning: meaning[magic] }));

const grammar = /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * The problem that the cents of an amount select; `undefined` for a normal payment. The amount is read as text, so nothing becomes a float.
 */
export function magicOf(amount: Json | undefined): Magic | undefined {
  const text = amount instanceof JsonNumber ? amount.text : amount;
  const [, whole = '', fraction = '', exponent = '0'] = (typeof text === 'string' && grammar.exec(text)) || [];
  const point = whole.length + Number(exponent);
  // Applies the exponent, and pads with zeros where it moves the point past either end.
  const digits = '0'.repeat(Math.max(0, -point)) + whole + fraction;
  return byCents[digits.slice(Math.max(0, point)).padEnd(2, '0').slice(0, 2)];
}
