import { Slider } from '@mantine/core';
import styles from './panel-cards.module.css';

interface DialSliderProps {
  readonly label: string;
  /** Whose dial it is. */
  readonly of: string;
  readonly most: number;
  readonly step: number;
  readonly unit: string;
  readonly value: number;
  /** While it is being turned. */
  readonly onTurn: (value: number) => void;
  /** When it is let go. */
  readonly onSet: (value: number) => void;
}

/** One fault dial with what it stands at. */
export function DialSlider({ label, of, most, step, unit, value, onTurn, onSet }: DialSliderProps) {
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
        max={most}
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
