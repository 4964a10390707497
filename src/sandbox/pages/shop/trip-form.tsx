import { useState } from 'react';
import { PassengerStepper } from './passenger-stepper';
import { amountOf, fares, type Cents } from './fares';

interface TripFormProps {
  readonly busy: boolean;
  readonly onBuy: (passengers: number, cents: Cents) => void;
}

/** Form for the trip, the number of passengers, and the result of the simulated payment. */
export function TripForm({ busy, onBuy }: TripFormProps) {
  const [passengers, setPassengers] = useState(2);
  const [cents, setCents] = useState<Cents>('90');
  return (
    <section className="card">
      <div className="trip">
        <div>
          <strong>09:40</strong>
          <span>Harbour Pier</span>
        </div>
        <span className="leg" aria-hidden="true">
          35 min
        </span>
        <div>
          <strong>10:15</strong>
          <span>Skerry Island</span>
        </div>
      </div>
      <PassengerStepper passengers={passengers} onChange={setPassengers} />
      <label className="line">
        <span>The payment</span>
        <select value={cents} onChange={(event) => setCents(event.currentTarget.value as Cents)}>
          {fares.map((fare) => (
            <option key={fare.cents} value={fare.cents}>
              {fare.label}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="primary" disabled={busy} onClick={() => onBuy(passengers, cents)}>
        {busy ? 'One moment …' : `Buy for USD ${amountOf(passengers, cents)}`}
      </button>
    </section>
  );
}
