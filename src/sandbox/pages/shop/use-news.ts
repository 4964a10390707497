import { useEffect, useState } from 'react';
import { newestNews } from './shop-back-end';

const everyMs = 1500;

/** The newest event that the host app's back end sent since this page was opened; empty when there is none. */
export function useNews(): string {
  const [news, setNews] = useState('');
  useEffect(() => {
    const opened = Date.now();
    const poll = (): void => {
      newestNews().then(
        ({ at, text }) => at >= opened && setNews(text ?? ''),
        () => undefined,
      );
    };
    const timer = window.setInterval(poll, everyMs);
    return () => window.clearInterval(timer);
  }, []);
  return news;
}
