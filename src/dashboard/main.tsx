import '@mantine/core/styles.css';
import './frame/page.css';
import { createRoot } from 'react-dom/client';
import { Dashboard } from './frame/dashboard';

createRoot(document.getElementById('root') as HTMLElement).render(<Dashboard />);
