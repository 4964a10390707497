import { Slider } from '@mantine/core';
import styles from './panel-cards.module.css';

interface DialSliderProps {
  readonly label: string;
  /** The partner's name. */
  readonly of: string;
  readonly max: number;
  readonly step: number;
  readonly unit: string;
  readonly value: number;
  /** Called while the slider moves. */
  readonly onTurn: (value: number) => void;
  /** Called on release. */
  readonly onSet: (value: number) => void;
}

/** A slider for one fault, with its value. */
export function DialSlider({ label, of, max, step, unit, value, onTurn, onSet }: DialSliderProps) {
  return (
    <div className={styles.dial}>
      <div className={styles.name}>
        <span>{label}</span>
        <span className={styles.value}>
          {value}
          {unit}
        </span>
      </div>
      <Slider
        size="sm"
        min={0}
        max={max}
        step={step}
        label={null}
        thumbLabel={`${of}: ${label}`}
        value={value}
        onChange={onTurn}
        onChangeEnd={onSet}
      />
    </div>
  );
}
