import { PublicPage } from '../../shell/PublicPage.tsx';

export function WelcomePage() {
  return <PublicPage title="Welcome">{null}</PublicPage>;
}
