import { Modal, Stepper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { ReturnFocus } from '../../../parts/return-focus';
import type { PartnerRef } from '../../../parts/use-partner-choice';
import { type Credential, type CredentialKind, isProvable, type PartnerSettings, titlesInside } from '../credential';
import { CutOverStep } from './cut-over-step';
import { DoneStep } from './done-step';
import { KeyStep } from './key-step';
import { credentialOf, type Method } from '../methods';
import { ProofStep } from './proof-step';
import type { Rotation, StepProps } from './rotation';

interface RotationWizardProps {
  readonly partner: PartnerRef;
  readonly settings: PartnerSettings;
  readonly all: readonly Credential[];
  readonly start: { readonly method?: Method; readonly credential?: CredentialKind };
  readonly onClose: () => void;
}

type StepName = 'key' | 'proof' | 'cut-over' | 'done';

const stepTitles: Readonly<Record<StepName, string>> = { key: 'New key', proof: 'Proof', 'cut-over': 'Cut-over', done: 'Done' };

/** Guides from a new key to its use, step by step, so that no call is refused on the way. */
export function RotationWizard(props: RotationWizardProps) {
  const [rotation, setRotation] = useState(() => begun(props));
  const [at, setAt] = useState(0);
  const isNarrow = useMediaQuery('(max-width: 48em)');
  const steps = stepsOf(rotation);
  const go = (changed: Partial<Rotation> = {}): void => {
    setRotation((before) => ({ ...before, ...changed }));
    setAt((before) => before + 1);
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="xl"
      title={titleOf(rotation)}
      fullScreen={isNarrow}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ReturnFocus />
      <Stepper active={at} size="sm" allowNextStepsSelect={false} orientation={isNarrow ? 'vertical' : 'horizontal'}>
        {steps.map((step) => (
          <Stepper.Step key={step} label={stepTitles[step]} allowStepSelect={false}>
            <StepBody step={step} rotation={rotation} onDone={go} onClose={props.onClose} />
          </Stepper.Step>
        ))}
      </Stepper>
    </Modal>
  );
}

function begun({ partner, settings, all, start }: RotationWizardProps): Rotation {
  const { signature } = settings;
  const { method } = start;
  const credential = start.credential ?? credentialOf(method ?? 'Basic');
  const inForce: Method = signature.enabled ? (signature.algorithm ?? 'HMAC') : 'Basic';
  const changesTo = method !== undefined && method !== 'Basic' && method !== inForce ? method : undefined;
  const hasPresent = all.find((one) => one.credential === credential)?.values.some(({ slot }) => slot === 'current') ?? false;
  return { partner, settings, credential, value: '', hasPresent, ...(changesTo && { changesTo }) };
}

/** A key of another kind cannot be `next` beside the current one: it is stored with the new settings, and proved then. */
function stepsOf({ credential, changesTo }: Rotation): readonly StepName[] {
  if (changesTo) return ['key', 'cut-over', 'proof', 'done'];
  return isProvable(credential) ? ['key', 'proof', 'cut-over', 'done'] : ['key', 'cut-over', 'done'];
}

const titleOf = ({ credential, changesTo }: Rotation): string =>
  changesTo ? `Change to ${changesTo}` : `Rotate ${titlesInside[credential]}`;

function StepBody({ step, rotation, onDone, onClose }: StepProps & { readonly step: StepName; readonly onClose: () => void }) {
  if (step === 'key') return <KeyStep rotation={rotation} onDone={onDone} />;
  if (step === 'proof') return <ProofStep rotation={rotation} onDone={onDone} />;
  if (step === 'cut-over') return <CutOverStep rotation={rotation} onDone={onDone} />;
  return <DoneStep rotation={rotation} onClose={onClose} />;
}
