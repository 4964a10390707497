/** The cents of the amount select the result of the simulated payment. */
export const fares = [
  { cents: '90', label: 'Goes well (.90)' },
  { cents: '01', label: 'Is declined (.01)' },
  { cents: '02', label: 'Stays in process (.02)' },
  { cents: '03', label: 'Gets no answer (.03)' },
  { cents: '04', label: 'Broken JSON (.04)' },
  { cents: '05', label: 'Completes 90 s late (.05)' },
  { cents: '06', label: 'Completes twice (.06)' },
  { cents: '07', label: 'Conflicting results (.07)' },
  { cents: '08', label: 'First answer 401 (.08)' },
  { cents: '09', label: 'Always 401 (.09)' },
] as const;
export type Cents = (typeof fares)[number]['cents'];

const wholePerPassenger = 12;

/** Total of all tickets, in USD. */
export const amountOf = (passengers: number, cents: Cents): string => `${String(wholePerPassenger * passengers)}.${cents}`;
