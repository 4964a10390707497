import { useState } from 'react';
import { ConsentSheet } from './consent-sheet';
import { HomeScreen } from './home-screen';
import styles from './host-phone.module.css';
import { MiniappScreen } from './miniapp-screen';
import type { BookedPayment } from './open-miniapp';
import type { NoteLeg } from './page-legs';
import { PaymentSheet } from './payment-sheet';
import type { Flow, PlaygroundFacts, Profile } from './playground-facts';

/** What lies over the screen and waits for the user. */
type Asked =
  | { readonly what: 'consent'; readonly answer: (agreed: boolean) => void }
  | { readonly what: 'payment'; readonly payment: BookedPayment; readonly answer: (payment: BookedPayment) => void };

interface HostPhoneProps {
  readonly facts: PlaygroundFacts;
  readonly flow: Flow;
  readonly user: Profile;
  readonly note: NoteLeg;
}

/** The simulated super app, in a phone where there is room for one. */
export function HostPhone({ facts, flow, user, note }: HostPhoneProps) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [said, setSaid] = useState('');
  const askConsent = () => new Promise<boolean>((answer) => setAsked({ what: 'consent', answer }));
  const askPayment = (payment: BookedPayment) => new Promise<BookedPayment>((answer) => setAsked({ what: 'payment', payment, answer }));
  const say = (text: string): void => {
    setSaid(text);
    window.setTimeout(() => setSaid((now) => (now === text ? '' : now)), 4000);
  };
  const done = <Answer,>(answer: (value: Answer) => void) => {
    return (value: Answer): void => {
      setAsked(undefined);
      answer(value);
    };
  };
  return (
    <section className={styles.phone} aria-label="The host app">
      <div className={styles.screen}>
        {open ? (
          <MiniappScreen
            host={{ facts, flow, reference: user.reference, askConsent, askPayment, say, note }}
            onClose={() => setOpen(false)}
          />
        ) : (
          <HomeScreen user={user} onOpen={() => setOpen(true)} />
        )}
        {asked?.what === 'consent' && <ConsentSheet user={user} text={facts.consent_text} onAnswer={done(asked.answer)} />}
        {asked?.what === 'payment' && <PaymentSheet payment={asked.payment} onDone={done(asked.answer)} />}
        <output className={styles.said} data-shown={said !== ''}>
          {said}
        </output>
      </div>
    </section>
  );
}
