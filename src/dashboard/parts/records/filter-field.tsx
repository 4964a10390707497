import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { choicesOf, type Filter } from './filters';
import styles from './records.module.css';

interface FilterFieldProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

/** One filter: a selection, or a text that is applied on Enter or blur. */
export function FilterField({ filter, value, onSet }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const common = { label: filter.title, className: styles.filter ?? '', size: 'sm' } as const;
  if (filter.choices) {
    return (
      <Select
        {...common}
        data={choicesOf(filter)}
        value={value === '' ? null : value}
        onChange={(chosen) => onSet(chosen ?? '')}
        placeholder="Any"
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${filter.title}` }}
      />
    );
  }
  const set = (): void => {
    if (text.trim() !== value) onSet(text);
  };
  return (
    <TextInput
      {...common}
      value={text}
      placeholder={filter.example ?? 'Any'}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={set}
      onKeyDown={(event) => {
        if (event.key === 'Enter') set();
      }}
    />
  );
}
