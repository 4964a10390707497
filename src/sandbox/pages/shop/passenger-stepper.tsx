interface PassengerStepperProps {
  readonly passengers: number;
  readonly onChange: (passengers: number) => void;
}

/** A number input for one to nine passengers. */
export function PassengerStepper({ passengers, onChange }: PassengerStepperProps) {
  return (
    <div className="line">
      <span>Passengers</span>
      <span className="stepper">
        <button type="button" aria-label="One passenger fewer" disabled={passengers === 1} onClick={() => onChange(passengers - 1)}>
          −
        </button>
        <output>{passengers}</output>
        <button type="button" aria-label="One passenger more" disabled={passengers === 9} onClick={() => onChange(passengers + 1)}>
          +
        </button>
      </span>
    </div>
  );
}
