import { expect, it } from 'vitest';
import { openLaunch } from './launch.ts';

it('reads the language of a link that cannot be used', () => {
  const { client, language, device } = openLaunch({ url: 'https://g.example/i.html?lang=ar&device=mobile' });
  expect({ client, language, device }).toEqual({ client: undefined, language: 'ar', device: 'mobile' });
});

it('reads the social words of a link that cannot be used', () => {
  expect(openLaunch({ url: 'nothing at all?social=true&replay=true' })).toMatchObject({ social: true, language: 'en' });
});

it('opens a client for a good link', () => {
  const launch = openLaunch({ url: 'https://g.example/i.html?sessionID=s&rgs_url=r.example&lang=fi&currency=XSC' });
  expect(launch).toMatchObject({ language: 'fi', currency: 'XSC', isReplay: false });
  expect(launch.client?.launch.kind).toBe('play');
  launch.client?.close();
});
