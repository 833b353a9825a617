import { describe, expect, it } from 'vitest';
import { readLaunch, rgsAddress } from './launch.js';

function launchUrl(query) {
  return readLaunch(`http://127.0.0.1:4000/sample-lines/1.0.0/index.html?${query}`);
}

describe('the address of the server', () => {
  it.each([
    ['rgs.example.com', 'https://rgs.example.com'],
    ['rgs.example.com/eu/', 'https://rgs.example.com/eu'],
    ['rgs.example.com:8443', 'https://rgs.example.com:8443'],
    ['localhost:4000', 'http://localhost:4000'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['[::1]:4000', 'http://[::1]:4000'],
    ['http://10.0.0.5:4000', 'http://10.0.0.5:4000'],
    ['https://localhost:4000/', 'https://localhost:4000'],
    ['HTTPS://rgs.example.com/a/b', 'https://rgs.example.com/a/b'],
  ])('%s is %s', (text, address) => {
    expect(rgsAddress(text)).toBe(address);
  });

  it.each(['', 'ftp://rgs.example.com', 'javascript:alert(1)', 'http://', 'a b'])('%j is none', (text) => {
    expect(rgsAddress(text)).toBeNull();
  });
});

describe('the launch URL', () => {
  it('says who plays what, where and how', () => {
    const { launch, problems } = launchUrl('sessionID=abc&lang=de&device=mobile&rgs_url=localhost:4000&currency=eur');
    expect(problems).toEqual([]);
    expect(launch).toMatchObject({
      game: 'sample-lines',
      version: '1.0.0',
      sessionID: 'abc',
      language: 'de',
      device: 'mobile',
      rgsUrl: 'http://localhost:4000',
      currency: 'EUR',
      replay: null,
    });
  });

  it.each([
    ['br', 'pt'],
    ['xx', 'en'],
    ['pt-BR', 'pt'],
    ['', 'en'],
  ])('takes lang %j as %s', (lang, language) => {
    expect(launchUrl(`lang=${lang}`).launch.language).toBe(language);
  });

  it('takes an unknown device as desktop', () => {
    expect(launchUrl('device=fridge').launch.device).toBe('desktop');
  });

  it('names what is missing', () => {
    expect(launchUrl('rgs_url=localhost').problems).toHaveLength(1);
    expect(launchUrl('sessionID=a&rgs_url=ftp://x').problems).toHaveLength(1);
    expect(launchUrl('').problems).toHaveLength(2);
  });

  it('asks for a replay, which needs no session', () => {
    const { launch, problems } = launchUrl('replay=true&rgs_url=localhost&mode=BASE&event=7&amount=1000000');
    expect(problems).toEqual([]);
    expect(launch.replay).toEqual({
      game: 'sample-lines',
      version: '1.0.0',
      mode: 'BASE',
      event: '7',
      amount: 1_000_000,
    });
    expect(launchUrl('replay=true&rgs_url=localhost').problems).toHaveLength(2);
  });
});
