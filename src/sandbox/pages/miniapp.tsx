import './shop/shop.css';
import './shop/ticket.css';
import { createRoot } from 'react-dom/client';
import { ShopPage } from './shop/shop-page';

createRoot(document.getElementById('root') as HTMLElement).render(<ShopPage />);
