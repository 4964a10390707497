import { useEffect, useState } from 'react';
import { ShopHero } from './shop-hero';
import { hostSettings, onHostMessage, signOn } from './shop-sdk';
import { SignInCard } from './sign-in-card';
import { TicketShop } from './ticket-shop';
import { useNews } from './use-news';

/** The ferry shop: sign-in, then the tickets. */
export function ShopPage() {
  const [session, setSession] = useState<string>();
  const [problem, setProblem] = useState('');
  const news = useNews();
  const inHost = window.parent !== window;
  useEffect(() => {
    if (!inHost) return undefined;
    const dress = (theme: 'light' | 'dark'): void => {
      document.documentElement.dataset.theme = theme;
    };
    void hostSettings().then(({ theme }) => dress(theme));
    return onHostMessage({ signedOut: () => setSession(undefined), theme: dress });
  }, [inHost]);
  const enter = (): void => {
    setProblem('');
    signOn().then(setSession, () => setProblem('You were not signed in. The host app has the reason.'));
  };
  return (
    <div className="shop">
      <ShopHero />
      {news !== '' && (
        <p className="news" role="status">
          {news}
        </p>
      )}
      {!inHost && <p className="news">This shop opens inside a super app: look at the host app’s page.</p>}
      {session === undefined ? <SignInCard problem={problem} onEnter={enter} /> : <TicketShop session={session} />}
    </div>
  );
}
