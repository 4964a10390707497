import { useState } from 'react';
import { ConsentSheet } from './consent-sheet';
import { HomeScreen } from './home-screen';
import styles from './host-phone.module.css';
import { MiniappScreen } from './miniapp-screen';
import type { RecordedPayment } from './open-miniapp';
import type { NoteLeg } from '../legs/page-legs';
import { PaymentSheet } from './payment-sheet';
import type { Flow, PlaygroundSettings, Profile } from '../playground-settings';

/** A sheet that is open and waits for the user. */
type Prompt =
  | { readonly what: 'consent'; readonly answer: (agreed: boolean) => void }
  | { readonly what: 'payment'; readonly payment: RecordedPayment; readonly answer: (payment: RecordedPayment) => void };

interface HostPhoneProps {
  readonly settings: PlaygroundSettings;
  readonly flow: Flow;
  readonly user: Profile;
  readonly note: NoteLeg;
}

/** The simulated super app, in a phone frame where the screen is large enough. */
export function HostPhone({ settings, flow, user, note }: HostPhoneProps) {
  const [open, setOpen] = useState(false);
  const [prompt, setPrompt] = useState<Prompt>();
  const [message, setMessage] = useState('');
  const promptConsent = () => new Promise<boolean>((answer) => setPrompt({ what: 'consent', answer }));
  const promptPayment = (payment: RecordedPayment) =>
    new Promise<RecordedPayment>((answer) => setPrompt({ what: 'payment', payment, answer }));
  const showMessage = (text: string): void => {
    setMessage(text);
    window.setTimeout(() => setMessage((now) => (now === text ? '' : now)), 4000);
  };
  const done = <Answer,>(answer: (value: Answer) => void) => {
    return (value: Answer): void => {
      setPrompt(undefined);
      answer(value);
    };
  };
  return (
    <section className={styles.phone} aria-label="The host app">
      <div className={styles.screen}>
        {open ? (
          <MiniappScreen
            host={{ settings, flow, reference: user.reference, promptConsent, promptPayment, showMessage, note }}
            onClose={() => setOpen(false)}
          />
        ) : (
          <HomeScreen user={user} onOpen={() => setOpen(true)} />
        )}
        {prompt?.what === 'consent' && <ConsentSheet user={user} text={settings.consent_text} onAnswer={done(prompt.answer)} />}
        {prompt?.what === 'payment' && <PaymentSheet payment={prompt.payment} onDone={done(prompt.answer)} />}
        <output className={styles.message} data-shown={message !== ''}>
          {message}
        </output>
      </div>
    </section>
  );
}
